/// Lines are counted by the SIMD kernel, so most of an input is never looked at line by line.
#include "cli/cat/span.hpp"

#include <fmt/core.h>
#include <riffle/scan.hpp>

#include <algorithm>

#include "text/typed.hpp"

namespace riffle::cli {

namespace {

// Refuses a mistyped number.
constexpr std::uint64_t most_lines = std::uint64_t{1} << 60U;

constexpr std::string_view digits = "0123456789";

// The bytes that are counted at once before lines are found one by one.
constexpr std::size_t counted = 4 * text::kib;

std::uint64_t parse_line(std::string_view text) {
  return text::parse_number(text, 1, most_lines);
}

constexpr std::uint64_t step_back = 256 * text::kib;

// Smaller pieces are joined, as a pipe may give a few bytes at a time.
constexpr std::size_t joined = 64 * text::kib;

// Passes `wanted` delimiters of the input between two offsets.
passed_lines pass_lines_of(source& from, std::uint64_t begin, std::uint64_t end, char delimiter,
                           std::uint64_t wanted) {
  passed_lines all{0, 0};
  from.seek(begin);
  while (begin + all.size != end && all.lines != wanted) {
    const std::string_view block = from.next().bytes;
    const std::uint64_t left = std::min<std::uint64_t>(block.size(), end - begin - all.size);
    const std::string_view bytes = block.substr(0, static_cast<std::size_t>(left));
    const passed_lines passed = pass_lines(bytes, delimiter, wanted - all.lines);
    if (bytes.empty()) break;
    all = {all.size + passed.size, all.lines + passed.lines};
  }
  return all;
}

}  // namespace

line_span parse_span(std::string_view text) {
  const std::size_t colon = text.find_first_of(":,");  // a comma as in sed
  const std::size_t dash = text.find_first_not_of(digits);
  if (dash != 0 && dash != std::string_view::npos && text[dash] == '-' &&
      text.find_first_not_of(digits, dash + 1) == std::string_view::npos) {
    throw text::usage_error(
        fmt::format("write a range as {}:{}", text.substr(0, dash), text.substr(dash + 1)));
  }
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

std::optional<std::uint64_t> start_of_last(source& from, std::uint64_t end, std::uint64_t lines,
                                           char delimiter) {
  // The last byte ends the last line or belongs to it.
  for (std::uint64_t stop = end - 1; stop != from.start();) {
    const std::uint64_t begin = stop - std::min(step_back, stop - from.start());
    const passed_lines all = pass_lines_of(from, begin, stop, delimiter, all_lines);
    if (all.size != stop - begin) return std::nullopt;
    if (all.lines >= lines) {
      return begin + pass_lines_of(from, begin, stop, delimiter, all.lines - lines + 1).size;
    }
    lines -= all.lines;
    stop = begin;
  }
  return from.start();
}

void last_lines::add(std::string_view piece) {
  if (parts_.empty() || parts_.back().size() + piece.size() > joined) {
    parts_.emplace_back();
    ends_.push_back(0);
  }
  const std::uint64_t lines = scan::count_byte(piece, delimiter_);
  parts_.back() += piece;
  ends_.back() += lines;
  kept_ += lines;
  // More than `wanted_` must stay, as the delimiter before the last lines is one of them.
  while (kept_ - ends_.front() > wanted_) {
    kept_ -= ends_.front();
    dropped_ += ends_.front();
    parts_.pop_front();
    ends_.pop_front();
  }
}

std::uint64_t last_lines::finish() {
  const bool unfinished = !parts_.empty() && parts_.back().back() != delimiter_;
  const std::uint64_t lines = kept_ + (unfinished ? 1 : 0);
  std::uint64_t surplus = lines - std::min(lines, wanted_);
  const std::uint64_t first = dropped_ + surplus + 1;
  while (surplus != 0) {
    const passed_lines passed = pass_lines(parts_.front(), delimiter_, surplus);
    surplus -= passed.lines;
    parts_.front().erase(0, passed.size);
    if (surplus != 0) parts_.pop_front();
  }
  return first;
}

}  // namespace riffle::cli
