/// Copies inputs to an output, as the command line asks.
#pragma once

#include <riffle/parallel.hpp>
#include <riffle/source.hpp>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string_view>

#include "cli/cat/arguments.hpp"
#include "cli/cat/editor.hpp"
#include "cli/cat/output.hpp"
#include "cli/cat/rows.hpp"
#include "cli/choice.hpp"

namespace riffle::cli {

/// Copies one input after the other.
class copier {
 public:
  /// Copies to `out`. `progress`, if it is not null, counts the bytes that the OS kernel copies.
  copier(const cat_arguments& given, cat_output& out, std::atomic<std::uint64_t>* progress)
      : given_(given), out_(out), progress_(progress) {
    if (given.distinct) rows_.distinct.emplace(given.max_memory);
  }
  copier(const copier&) = delete;
  copier& operator=(const copier&) = delete;

  /// Copies an input, or the part of it that was asked for. All of it is written when this returns or throws.
  /// `splitting` gives the threads for fields and for the lines that a text chooses. Throws `riffle::error`;
  /// output_lost if writing fails.
  void copy(source from, const riffle::thread_options& splitting);

 private:
  void copy_input(source from, const riffle::thread_options& splitting);
  void copy_source(source& from, std::uint64_t end);
  void copy_all(source& from);
  void copy_lines(source& from, line_span span, std::uint64_t end);
  std::optional<std::uint64_t> seek_last(source& from) const;
  void copy_line_by_line(source from);
  void copy_found(source from, riffle::thread_options splitting);
  void write(line_editor& to, std::uint64_t number, std::string_view lines);

  const cat_arguments& given_;
  cat_output& out_;
  std::atomic<std::uint64_t>* progress_;
  line_editor editor_{given_, out_};
  copied_rows rows_ = {};
  std::optional<std::uint64_t> stopped_at_ = {};  // the offset, if an input was not read to its end
};

}  // namespace riffle::cli
