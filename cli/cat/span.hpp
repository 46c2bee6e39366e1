/// Some lines of an input, a span or the last ones, and how they are found by counting delimiters.
#pragma once

#include <riffle/source.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <string>
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

/// Returns the offset of the last `lines` lines (1 or more) before the offset `end`, reading blocks from
/// there backwards; the start of the source if it has no more lines; nothing if the input ends before `end`.
/// The source must be seekable, stand before `end`, and it stands anywhere afterwards. Throws what the source
/// throws.
std::optional<std::uint64_t> start_of_last(source& from, std::uint64_t end, std::uint64_t lines,
                                           char delimiter);

/// Keeps the last lines of what it is given, and less than a block more.
class last_lines {
 public:
  last_lines(std::uint64_t wanted, char delimiter) : wanted_(wanted), delimiter_(delimiter) {}

  void add(std::string_view piece);
  /// Drops what is before the last lines, when all pieces were added. Returns the number of the first line
  /// that is left.
  std::uint64_t finish();
  /// What is left, in order.
  const std::deque<std::string>& parts() const { return parts_; }

 private:
  std::uint64_t wanted_;
  char delimiter_;
  std::deque<std::string> parts_ = {};
  std::deque<std::uint64_t> ends_ = {};  // the delimiters of each part
  std::uint64_t kept_ = 0;               // their sum
  std::uint64_t dropped_ = 0;            // the delimiters of parts that were dropped
};

}  // namespace riffle::cli
