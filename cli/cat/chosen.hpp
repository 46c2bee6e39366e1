/// The lines and rows that `cat` chose, of which --head, --range and --tail count some.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "cli/cat/arguments.hpp"
#include "cli/cat/editor.hpp"
#include "cli/cat/output.hpp"
#include "cli/cat/span.hpp"

namespace riffle::cli {

/// Takes the chosen lines of an input in order, and writes those that are asked for, by their numbers in it.
class chosen_lines {
 public:
  chosen_lines(const cat_arguments& given, cat_output& out);

  /// Adds lines that follow each other in the input, each with its end; `number` is that of the first.
  /// Returns false if no more are needed. Throws output_lost.
  bool add(std::uint64_t number, std::string_view lines);
  /// Writes what waits for the end of the input. Throws output_lost.
  void finish();

 private:
  struct run {
    std::uint64_t number;
    std::string lines;
    std::uint64_t count;
  };
  void keep(std::uint64_t number, std::string_view lines);
  void write(std::uint64_t number, std::string_view lines);

  const cat_arguments& given_;
  cat_output& out_;
  line_editor editor_;
  line_picker picker_;
  std::deque<run> last_ = {};  // with --tail: the last lines, and less than a run more
  std::uint64_t kept_ = 0;     // the lines in it
};

}  // namespace riffle::cli
