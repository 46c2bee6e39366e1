/// Lines are found by their text, and not looked at one by one.
#include "cli/chosen.hpp"

#include <riffle/error.hpp>
#include <riffle/scan.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "cli/kernel/kernels.hpp"

namespace riffle::cli {

namespace {

// The bytes that are counted at once before lines are found one by one.
constexpr std::size_t counted = 4096;

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

std::size_t find(std::string_view part, std::string_view text, std::size_t from, bool any_case) noexcept {
  if (!any_case) return scan::find(part, text, from);
  part.remove_prefix(from);
  const std::size_t found =
      kernel::active().find_any_case(part.data(), part.size(), riffle::kernel::plan(text));
  return found == part.size() ? std::string_view::npos : from + found;
}

}  // namespace

text_search::text_search(std::span<const std::string> texts, std::string_view part, bool any_case)
    : texts_(texts), part_(part), any_case_(any_case) {
  places_.reserve(texts.size());
  for (const std::string& each : texts) places_.push_back(find(part, each, 0, any_case));
}

text_search::match text_search::next(std::size_t from) {
  match first;
  for (std::size_t i = 0; i != texts_.size(); ++i) {
    if (places_[i] < from) places_[i] = find(part_, texts_[i], from, any_case_);
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

text_chooser::text_chooser(const choice& wanted, char delimiter)
    : texts_(wanted.texts),
      invert_(wanted.invert || wanted.texts.empty()),
      any_case_(wanted.any_case),
      some_at_start_(std::ranges::any_of(texts_, &wanted_text::at_start)),
      delimiter_(delimiter) {
  for (wanted_text& each : texts_) {
    if (any_case_) std::ranges::transform(each.bytes, each.bytes.begin(), kernel::lower);
    searched_.push_back(each.at_start ? delimiter + each.bytes : each.bytes);
  }
}

bool text_chooser::starts(std::string_view row) const noexcept {
  const auto same = [this](char text, char byte) { return text == (any_case_ ? kernel::lower(byte) : byte); };
  return some_at_start_ && std::ranges::any_of(texts_, [&](const wanted_text& text) {
           return text.at_start && row.size() >= text.bytes.size() &&
                  std::equal(text.bytes.begin(), text.bytes.end(), row.begin(), same);
         });
}

text_chooser::line text_chooser::next(text_search& search, std::string_view part, std::size_t from) const {
  std::size_t start = from;
  if (!starts(part.substr(from))) {
    const std::size_t place = search.next(from).start;
    if (place == std::string_view::npos) return {};
    start = part[place] == delimiter_ ? place + 1
                                      : from + start_of_line(part.substr(from, place - from), delimiter_);
  }
  const std::size_t stop = scan::find_byte(part, delimiter_, start);
  return {start, std::min(stop, part.size() - 1) + 1};
}

std::uint64_t text_chooser::count(std::string_view part) const {
  if (some_at_start_ && texts_.size() == 1 && !any_case_) return count_by_start(part);
  text_search search(searched_, part, any_case_);
  std::uint64_t found = 0;
  for (line at; (at = next(search, part, at.end)).start != std::string_view::npos;) ++found;
  return invert_ ? lines_in(part, delimiter_) - found : found;
}

std::uint64_t text_chooser::count_by_start(std::string_view part) const {
  if (part.empty()) return 0;
  const auto [ends, starts] =
      kernel::active().count_line_starts(part.data(), part.size(), delimiter_, texts_.front().bytes);
  const std::uint64_t found = starts + (part.starts_with(texts_.front().bytes) ? 1 : 0);
  return invert_ ? ends + (part.back() != delimiter_ ? 1 : 0) - found : found;
}

std::uint64_t lines_in(std::string_view part, char delimiter) noexcept {
  return scan::count_byte(part, delimiter) + (!part.empty() && part.back() != delimiter ? 1 : 0);
}

bool text_chooser::takes(std::string_view row) const noexcept {
  const auto holds = [&](const wanted_text& text) {
    return !text.at_start && find(row, text.bytes, 0, any_case_) != std::string_view::npos;
  };
  return (starts(row) || std::ranges::any_of(texts_, holds)) != invert_;
}

row_chooser::row_chooser(const choice& wanted, const row_range& rows, const dialect& cut)
    : texts_(wanted, cut.delimiter), conditions_(wanted.where), cut_(cut) {
  for (condition& each : conditions_) each.column = numbered({each.column}, rows, cut).front();
}

void row_chooser::search(row_range& rows) const {
  rows.choose([this](std::string_view lines, std::vector<row_run>& wanted) {
    texts_.for_each(lines, [&wanted](std::size_t start, std::size_t end) {
      if (wanted.empty() || wanted.back().end != start) wanted.push_back({start, end});
      wanted.back().end = end;
    });
  });
}

bool row_chooser::takes_values(const row& each) const {
  using enum condition::relation;
  const auto meets = [&](const condition& wanted) {
    const std::size_t index = wanted.column.first - 1;
    if (wanted.is <= unequal) return (each.unescaped(index) == wanted.text) == (wanted.is == equal);
    const double value = each.get<double>(index);
    if (wanted.is == less) return value < wanted.number;
    if (wanted.is == at_most) return value <= wanted.number;
    return wanted.is == more ? value > wanted.number : value >= wanted.number;
  };
  std::optional<error> failed;  // one that is not met counts first, so that their order changes nothing
  std::size_t column = 0;
  for (const condition& wanted : conditions_) {
    try {
      if (!meets(wanted)) return false;
    } catch (const error& failure) {
      if (failed) continue;
      failed = failure;
      column = wanted.column.first - 1;
    }
  }
  if (!failed) return true;
  const std::string remedy = remedy_for_field(each, column, cut_);
  throw_with_remedy(*failed, remedy.starts_with("--null") ? "--bad-rows skip leaves such rows out" : remedy);
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

void last_chosen::add(run lines) {
  kept_ += lines.count;
  runs_.push_back(std::move(lines));
  while (kept_ - runs_.front().count >= wanted_) {
    kept_ -= runs_.front().count;
    runs_.pop_front();
  }
}

void check_length(std::string_view line, std::uint64_t offset, const line_options& options,
                  const source& from) {
  if (line.ends_with(options.delimiter)) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() <= options.max_length) return;
  from.check();  // bytes that were lost are zeros
  throw error(errc::record_too_long, "read", from.name(), offset, {}, {advice::larger_max_length});
}

void chosen_rows::throw_at(const error& failure, const row& failed, std::uint64_t offset) {
  const std::uint64_t within = failure.offset().value_or(failed.offset()) - failed.offset();
  throw error(failure.code(), failure.operation(), failure.path(), offset + within, failure.detail(),
              failure.remedy());
}

chosen_rows::chosen_rows(row_range rows, const choosing_arguments& given, bool searches)
    : given_(given), rows_(std::move(rows)) {
  if (!given.lines.any()) return;
  chooser_.emplace(given.lines, rows_, given.rows);
  if (searches) chooser_->search(rows_);
}

bool may_search(const choosing_arguments& given) noexcept {
  const dialect& cut = given.rows;
  const auto in_line = [](const wanted_text& each) {
    return each.bytes.find_first_of("\r\n") == each.bytes.npos;
  };
  return !given.lines.texts.empty() && !given.skip_bad_rows && cut.ragged == ragged::keep &&
         cut.max_length == dialect().max_length && std::ranges::all_of(given.lines.texts, in_line);
}

}  // namespace riffle::cli
