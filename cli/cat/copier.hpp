/// Copies inputs to an output, as the command line asks.
#ifndef RIFFLE_CLI_CAT_COPIER_HPP
#define RIFFLE_CLI_CAT_COPIER_HPP

#include <riffle/input.hpp>
#include <riffle/source.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "cli/cat/arguments.hpp"
#include "cli/cat/editor.hpp"
#include "cli/cat/output.hpp"

namespace riffle::cli {

/// Copies one input after the other.
class copier {
 public:
  copier(const cat_arguments& given, os::file to) : given_(given), out_(std::move(to)) {}
  copier(const copier&) = delete;
  copier& operator=(const copier&) = delete;

  /// Copies an input, or the part of it that was asked for. What it has of an input that may wait is written
  /// before it reads on, and all of it when this returns or throws. Throws `riffle::error`; output_lost if
  /// writing fails.
  void copy(const input& from);

 private:
  void copy_input(const input& from);
  void copy_source(source& from);
  void copy_all(source& from);
  void copy_lines(source& from, line_span span, std::uint64_t end);
  void copy_last(source& from, std::uint64_t lines);
  void add(std::string_view piece);

  const cat_arguments& given_;
  cat_output out_;
  line_editor editor_{given_, out_};
  std::uint64_t rows_ = 0;                        // of the inputs before
  std::optional<std::uint64_t> stopped_at_ = {};  // the offset, if an input was not read to its end
};

}  // namespace riffle::cli

#endif
