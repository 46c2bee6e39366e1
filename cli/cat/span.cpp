/// Lines are counted by the SIMD kernel; only around the end of a span are they found one by one.
#include "cli/cat/span.hpp"

#include <riffle/scan.hpp>

#include "text/numbers.hpp"

namespace riffle::cli {

namespace {

// Refuses a mistyped number.
constexpr std::uint64_t most_lines = std::uint64_t{1} << 60U;

// The bytes that are counted at once before lines are found one by one.
constexpr std::size_t counted = 4 * text::kib;

std::uint64_t parse_line(std::string_view text) {
  return text::parse_number(text, 1, most_lines);
}

}  // namespace

line_span parse_span(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return {parse_line(text), parse_line(text)};
  const std::string_view first = text.substr(0, colon);
  const std::string_view last = text.substr(colon + 1);
  if (first.empty() && last.empty()) throw text::usage_error("a range needs a number, such as 2:4, 5: or :3");
  const line_span span{first.empty() ? 1 : parse_line(first), last.empty() ? all_lines : parse_line(last)};
  if (span.first > span.last) throw text::usage_error("the range ends before it starts");
  return span;
}

std::uint64_t parse_lines(std::string_view text) {
  return text::parse_number(text, 0, most_lines);
}

passed_lines pass_lines(std::string_view bytes, char delimiter, std::uint64_t wanted) noexcept {
  passed_lines passed{0, 0};
  while (passed.size != bytes.size()) {
    const std::string_view part = bytes.substr(passed.size, counted);
    const std::uint64_t lines = scan::count_byte(part, delimiter);
    if (lines >= wanted - passed.lines) break;
    passed = {passed.size + part.size(), passed.lines + lines};
  }
  while (passed.lines != wanted && passed.size != bytes.size()) {
    passed = {scan::find_byte(bytes, delimiter, passed.size) + 1, passed.lines + 1};
  }
  return passed;
}

std::string_view line_picker::pick(std::string_view piece) noexcept {
  if (before_ != 0) {
    const passed_lines passed = pass_lines(piece, delimiter_, before_);
    before_ -= passed.lines;
    piece.remove_prefix(passed.size);
  }
  if (left_ == all_lines) return piece;
  const passed_lines passed = pass_lines(piece, delimiter_, left_);
  left_ -= passed.lines;
  return piece.substr(0, passed.size);
}

}  // namespace riffle::cli
