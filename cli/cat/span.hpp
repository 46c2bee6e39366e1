/// A span of the lines of an input, and how it is found by counting delimiters.
#ifndef RIFFLE_CLI_CAT_SPAN_HPP
#define RIFFLE_CLI_CAT_SPAN_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

namespace riffle::cli {

inline constexpr std::uint64_t all_lines = std::numeric_limits<std::uint64_t>::max();

/// Some lines that follow each other. The first line of an input is 1.
struct line_span {
  std::uint64_t first = 1;
  std::uint64_t last = all_lines;  // below `first`: none; all_lines: to the end
};

/// The span of a text such as "3:5", "3:", ":5" or "3". Throws text::usage_error.
line_span parse_span(std::string_view text);
/// A number of lines. Throws text::usage_error.
std::uint64_t parse_lines(std::string_view text);

/// The start of some bytes, and the delimiters in it.
struct passed_lines {
  std::size_t size;
  std::uint64_t lines;
};
/// Passes `wanted` delimiters. Returns the bytes up to the last of them, or all if they hold fewer.
passed_lines pass_lines(std::string_view bytes, char delimiter, std::uint64_t wanted) noexcept;

/// Picks the lines of a span out of an input that comes in pieces.
class line_picker {
 public:
  line_picker(line_span span, char delimiter) noexcept
      : before_(span.first - 1),
        left_(span.last == all_lines ? all_lines : span.last - before_),
        delimiter_(delimiter) {}

  /// Returns the part of the next piece that lies in the span.
  std::string_view pick(std::string_view piece) noexcept;
  /// Whether the span has ended, so that no more pieces are needed.
  bool ended() const noexcept { return left_ == 0; }

 private:
  std::uint64_t before_;  // lines to pass
  std::uint64_t left_;    // lines to pick
  char delimiter_;
};

}  // namespace riffle::cli

#endif
