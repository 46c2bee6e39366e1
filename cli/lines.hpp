/// Which lines of an input `cat` copies and `count` counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"

namespace riffle::cli {

/// Lines by texts of which one is in them or at their start, or the lines without any. No text: all lines.
struct line_choice {
  std::vector<std::string> texts = {};
  bool at_start = false;
  bool invert = false;
};

/// Throws text::usage_error if `--invert-match` has nothing to invert.
void require_text(const line_choice& lines);

/// Finds texts in a part.
class text_search {
 public:
  struct match {
    std::size_t start = std::string_view::npos;  // npos: there is none
    std::size_t end = 0;
  };

  /// The texts, which are not empty, and the part must outlive this.
  text_search(std::span<const std::string> texts, std::string_view part);
  /// Returns the first place from `from` on that holds one of the texts: the longest that stands there.
  /// `from` is never less than before.
  match next(std::size_t from);

 private:
  std::span<const std::string> texts_;
  std::string_view part_;
  std::vector<std::size_t> places_;  // the first of each text from the last `from` on
};

/// Returns how often one of the texts occurs, without overlaps.
std::uint64_t occurrences_in(std::string_view part, std::span<const std::string> texts);

/// Finds the lines of a part with a text of a choice. The part consists of whole lines, of which the last
/// one may lack its delimiter, and no text holds a delimiter.
class line_finder {
 public:
  struct line {
    std::size_t start = std::string_view::npos;  // npos: there is none
    std::size_t end = 0;                         // after its delimiter
  };

  line_finder(const line_choice& choice, char delimiter);

  /// Calls `use(std::size_t start, std::size_t end)` with the chosen lines, in order. Those that follow each
  /// other may come together.
  template <class Use>
  void for_each(std::string_view part, Use use) const {
    text_search search(wanted_, part);
    std::size_t from = 0;
    for (line at; (at = next(search, part, from)).start != std::string_view::npos; from = at.end) {
      if (!choice_.invert) use(at.start, at.end);
      if (choice_.invert && from != at.start) use(from, at.start);
    }
    if (choice_.invert && from != part.size()) use(from, part.size());
  }
  /// Returns the number of lines that are chosen.
  std::uint64_t count(std::string_view part) const;

 private:
  // Returns the first line with a text that starts at `from`, the start of a line, or after it.
  line next(text_search& search, std::string_view part, std::size_t from) const;
  std::uint64_t count_by_start(std::string_view part) const;

  const line_choice& choice_;
  std::vector<std::string> wanted_;  // the texts, with a delimiter before each if they start lines
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
