/// Which lines of an input `cat` copies and `count` counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/command.hpp"

namespace riffle::cli {

/// Lines by a text that is in them or at their start, or the lines without it. No text: all lines.
struct line_choice {
  std::string text = {};
  bool at_start = false;
  bool invert = false;
};

/// Throws text::usage_error if `--invert-match` has nothing to invert.
void require_text(const line_choice& lines);

/// Finds the lines of a part with the text of a choice. The part consists of whole lines, of which the last
/// one may lack its delimiter, and the text holds no delimiter.
class line_finder {
 public:
  struct line {
    std::size_t start = std::string_view::npos;  // npos: there is none
    std::size_t end = 0;                         // after its delimiter
  };

  line_finder(const line_choice& choice, char delimiter);

  /// Returns the first line with the text that starts at `from`, the start of a line, or after it.
  line next(std::string_view part, std::size_t from) const;
  /// Calls `use(std::size_t start, std::size_t end)` with the chosen lines, in order. Those that follow each
  /// other may come together.
  template <class Use>
  void for_each(std::string_view part, Use use) const {
    std::size_t from = 0;
    for (line at; (at = next(part, from)).start != std::string_view::npos; from = at.end) {
      if (!choice_.invert) use(at.start, at.end);
      if (choice_.invert && from != at.start) use(from, at.start);
    }
    if (choice_.invert && from != part.size()) use(from, part.size());
  }
  /// Returns the number of lines that are chosen.
  std::uint64_t count(std::string_view part) const;

 private:
  std::uint64_t count_by_start(std::string_view part) const;

  const line_choice& choice_;
  std::string wanted_;  // the text, with a delimiter before it if it starts the line
  char delimiter_;
};

/// Returns the number of lines in a part, the last one without a delimiter included.
std::uint64_t lines_in(std::string_view part, char delimiter) noexcept;

/// Every so many lines: `first`, `first + step` and so on; only `first` if `step` is 0.
struct line_step {
  std::uint64_t first = 1;
  std::uint64_t step = 1;

  /// Returns whether the line of this number is chosen.
  bool has(std::uint64_t line) const noexcept {
    return line == first || (line > first && step != 0 && (line - first) % step == 0);
  }
  /// Returns how many of the first `lines` lines are chosen.
  std::uint64_t count(std::uint64_t lines) const noexcept;
};

/// Returns whether a choice takes a row, or a line, of these bytes.
bool chooses(const line_choice& lines, std::string_view row) noexcept;

/// Returns the step of a text such as "2~4", as GNU sed has it: "0~4" is "4~4". Throws text::usage_error.
line_step parse_step(std::string_view text);

#define RIFFLE_EVERY_HELP "every STEP lines from line FIRST on, as sed has it: 2~4 are the lines 2, 6, 10 ..."

}  // namespace riffle::cli
