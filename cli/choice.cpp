/// Parses what chooses lines.
#include "cli/choice.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

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

// Where the operator stands behind the column, which may be in quotes.
std::size_t end_of_column(std::string_view text) {
  std::size_t end = 0;
  while (text.substr(end).starts_with('"')) {
    end = text.find('"', end + 1);
    if (end++ == std::string_view::npos) return text.size();  // it is not closed
  }
  if (end != 0) return end;
  const auto starts = [&](std::size_t at) { return text[at] != '!' || text.substr(at).starts_with("!="); };
  end = text.find_first_of("=!<>");
  while (end < text.size() && !starts(end)) end = text.find_first_of("=!<>", end + 1);
  return std::min(end, text.size());
}

// Nothing if the text is no number that compares.
std::optional<double> number_in(std::string_view text) try {
  constexpr dialect one_field{.separator = '\1', .delimiter = '\0', .quote = std::nullopt, .strip_cr = false};
  for (const row& each : rows(memory(text), one_field)) {
    if (const auto value = each.get<double>(0); !std::isnan(value)) return value;
  }
  return std::nullopt;
} catch (const error&) {
  return std::nullopt;
}

condition parse_condition(std::string_view text) {
  using enum condition::relation;
  constexpr std::array<std::pair<std::string_view, condition::relation>, 6> relations{
      {{"!=", unequal}, {"<=", at_most}, {">=", at_least}, {"=", equal}, {"<", less}, {">", more}}};
  const std::size_t end = end_of_column(text);
  const auto starts = [&](const auto& each) { return text.substr(end).starts_with(each.first); };
  const auto found = std::ranges::find_if(relations, starts);
  if (found == relations.end()) {
    throw text::usage_error("write a column, one of = != < <= > >=, and a value, such as status=404");
  }
  const std::string_view column = text.substr(0, end);
  const std::string_view value = text.substr(end + found->first.size());
  if (value.starts_with('=')) throw text::usage_error(fmt::format("write {}={}", column, value.substr(1)));
  if (found->second == equal && value.find_first_of("<>") == 0 && number_in(value.substr(1))) {
    throw text::usage_error(fmt::format("write {}{}={}", column, value[0], value.substr(1)));
  }
  condition made{parse_column(column), found->second, std::string(value)};
  if (made.is <= unequal) return made;
  const std::optional<double> number = number_in(value);
  if (!number) throw text::usage_error("no number to compare with; a text takes = or !=");
  made.number = *number;
  return made;
}

// The user may give one option that counts the chosen lines.
choice& counting(arguments& given) {
  choice& lines = static_cast<choosing_arguments&>(given).lines;
  use_one(lines.counted_by, given, "--head, --tail, --range");
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

std::vector<field_range> with_conditions(std::vector<field_range> fields, const choice& lines) {
  for (const condition& each : lines.where) fields.push_back(each.column);
  return fields;
}

void add_condition(arguments& given, std::string_view value) {
  static_cast<choosing_arguments&>(given).lines.where.push_back(parse_condition(value));
}
void set_head(arguments& given, std::string_view value) {
  counting(given).span = line_span{.last = text::parse_number(value, 0, most_lines)};
}
void set_tail(arguments& given, std::string_view value) {
  counting(given).tail = text::parse_number(value, 0, most_lines);
}
void set_range(arguments& given, std::string_view value) {
  counting(given).span = parse_span(value);
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
