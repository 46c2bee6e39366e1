/// Parses what chooses lines.
#include "cli/choice.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "cli/command_line.hpp"

namespace riffle::cli {

namespace {

// Refuses a mistyped number.
constexpr std::uint64_t most_lines = std::uint64_t{1} << 60U;

constexpr std::string_view digits = "0123456789";

std::uint64_t parse_line(std::string_view text) {
  return text::parse_number(text, 1, most_lines);
}

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

// The user may give one option that counts the chosen lines.
choice& counting(arguments& given, std::string_view name) {
  choice& lines = static_cast<choosing_arguments&>(given).lines;
  use_one(lines.counted_by, name, "--head, --tail, --range");
  return lines;
}

}  // namespace

std::uint64_t choice::counted(std::uint64_t lines) const noexcept {
  if (every && lines < every->first) lines = 0;
  if (every && lines != 0) lines = every->step == 0 ? 1 : (lines - every->first) / every->step + 1;
  if (tail) return std::min(lines, *tail);
  if (!span) return lines;
  lines = std::min(lines, span->last);
  return lines - std::min(lines, span->first - 1);
}

line_step parse_step(std::string_view text) {
  const std::size_t tilde = text.find('~');
  if (tilde == std::string_view::npos) throw text::usage_error("a step is FIRST~STEP, such as 2~4");
  const std::uint64_t first = text::parse_number(text.substr(0, tilde), 0, most_lines);
  const std::uint64_t step = text::parse_number(text.substr(tilde + 1), 0, most_lines);
  if (first == 0 && step == 0) throw text::usage_error("no line is 0; use a step of at least 1");
  return {first == 0 ? step : first, step};
}

void set_head(arguments& given, std::string_view value) {
  counting(given, "head").span = line_span{.last = text::parse_number(value, 0, most_lines)};
}
void set_tail(arguments& given, std::string_view value) {
  counting(given, "tail").tail = text::parse_number(value, 0, most_lines);
}
void set_range(arguments& given, std::string_view value) {
  counting(given, "range").span = parse_span(value);
}

void check_texts(const choice& lines, char delimiter, const char* remedy) {
  if (lines.any_case && ((delimiter | 0x20) >= 'a' && (delimiter | 0x20) <= 'z')) {
    throw text::usage_error("--ignore-case: a letter ends the lines; use another --delimiter");
  }
  for (const auto& [bytes, at_start] : lines.texts) {
    if (bytes.find(delimiter) == std::string::npos) continue;
    throw text::usage_error(fmt::format("--{}: no line holds the byte that ends it; {}",
                                        at_start ? "starting-with" : "containing", remedy));
  }
}

std::string_view choosing_option(const arguments& given) {
  const auto chooses = [](const option* each) { return std::string_view(each->group) == choice_group; };
  const auto found = std::ranges::find_if(given.seen, chooses);
  return found == given.seen.end() ? std::string_view() : (*found)->name;
}

}  // namespace riffle::cli
