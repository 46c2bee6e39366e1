/// Lines are found by their text, and not looked at one by one.
#include "cli/lines.hpp"

#include <riffle/scan.hpp>

#include <algorithm>
#include <array>
#include <bit>

#include "cli/kernel/kernels.hpp"
#include "text/typed.hpp"

namespace riffle::cli {

namespace {

// Returns the position after the last delimiter, 0 if there is none.
std::size_t start_of_line(std::string_view before, char delimiter) {
  std::array<std::uint64_t, 4> masks;
  while (!before.empty()) {
    const std::size_t start = before.size() - std::min<std::size_t>(before.size(), 256);
    const std::string_view part = before.substr(start);
    scan::match_byte(part, delimiter, masks);
    for (std::size_t i = detail::mask_words(part.size()); i-- != 0;) {
      if (masks[i] != 0) return start + i * 64 + 64 - static_cast<std::size_t>(std::countl_zero(masks[i]));
    }
    before = before.substr(0, start);
  }
  return 0;
}

bool starts_with_any(std::string_view line, std::span<const std::string> texts) noexcept {
  return std::ranges::any_of(texts, [line](const std::string& text) { return line.starts_with(text); });
}

}  // namespace

void require_text(const line_choice& lines) {
  if (lines.invert && lines.texts.empty()) {
    throw text::usage_error("--invert-match needs --containing or --starting-with");
  }
}

text_search::text_search(std::span<const std::string> texts, std::string_view part)
    : texts_(texts), part_(part) {
  places_.reserve(texts.size());
  for (const std::string& each : texts) places_.push_back(scan::find(part, each));
}

text_search::match text_search::next(std::size_t from) {
  match first;
  for (std::size_t i = 0; i != texts_.size(); ++i) {
    if (places_[i] < from) places_[i] = scan::find(part_, texts_[i], from);
    if (places_[i] == std::string_view::npos || places_[i] > first.start) continue;
    const std::size_t end = places_[i] + texts_[i].size();
    first = {places_[i], places_[i] == first.start ? std::max(first.end, end) : end};
  }
  return first;
}

std::uint64_t occurrences_in(std::string_view part, std::span<const std::string> texts) {
  text_search search(texts, part);
  std::uint64_t found = 0;
  for (text_search::match at; (at = search.next(at.end)).start != std::string_view::npos;) ++found;
  return found;
}

line_finder::line_finder(const line_choice& choice, char delimiter)
    : choice_(choice), wanted_(choice.texts), delimiter_(delimiter) {
  if (!choice.at_start) return;
  for (std::string& each : wanted_) each.insert(0, 1, delimiter);
}

line_finder::line line_finder::next(text_search& search, std::string_view part, std::size_t from) const {
  std::size_t start = from;
  if (!choice_.at_start || !starts_with_any(part.substr(from), choice_.texts)) {
    const std::size_t place = search.next(from).start;
    if (place == std::string_view::npos) return {};
    start = choice_.at_start ? place + 1 : from + start_of_line(part.substr(from, place - from), delimiter_);
  }
  const std::size_t stop = scan::find_byte(part, delimiter_, start);
  return {start, std::min(stop, part.size() - 1) + 1};
}

std::uint64_t line_finder::count(std::string_view part) const {
  if (choice_.at_start && choice_.texts.size() == 1) return count_by_start(part);
  text_search search(wanted_, part);
  std::uint64_t found = 0;
  for (line at; (at = next(search, part, at.end)).start != std::string_view::npos;) ++found;
  return choice_.invert ? lines_in(part, delimiter_) - found : found;
}

std::uint64_t line_finder::count_by_start(std::string_view part) const {
  if (part.empty()) return 0;
  const auto [ends, starts] =
      kernel::active().count_line_starts(part.data(), part.size(), delimiter_, choice_.texts.front());
  const std::uint64_t found = starts + (part.starts_with(choice_.texts.front()) ? 1 : 0);
  return choice_.invert ? ends + (part.back() != delimiter_ ? 1 : 0) - found : found;
}

std::uint64_t lines_in(std::string_view part, char delimiter) noexcept {
  return scan::count_byte(part, delimiter) + (!part.empty() && part.back() != delimiter ? 1 : 0);
}

std::uint64_t line_step::count(std::uint64_t lines) const noexcept {
  if (lines < first) return 0;
  return step == 0 ? 1 : (lines - first) / step + 1;
}

bool chooses(const line_choice& lines, std::string_view row) noexcept {
  const bool has = lines.at_start ? starts_with_any(row, lines.texts)
                                  : std::ranges::any_of(lines.texts, [row](const std::string& text) {
                                      return scan::find(row, text) != std::string_view::npos;
                                    });
  return has != lines.invert;
}

line_step parse_step(std::string_view text) {
  constexpr std::uint64_t most = std::uint64_t{1} << 60U;
  const std::size_t tilde = text.find('~');
  if (tilde == std::string_view::npos) throw text::usage_error("a step is FIRST~STEP, such as 2~4");
  const std::uint64_t first = text::parse_number(text.substr(0, tilde), 0, most);
  const std::uint64_t step = text::parse_number(text.substr(tilde + 1), 0, most);
  if (first == 0 && step == 0) throw text::usage_error("no line is 0; use a step of at least 1");
  return {first == 0 ? step : first, step};
}

}  // namespace riffle::cli
