/// Makes masks of the matches and of the newlines of a batch, and counts the bits of the one between those of
/// the other: no line has a call of its own.
#include "cli/count/per_line.hpp"

#include <algorithm>
#include <array>

#include "cli/kernel/kernels.hpp"
#include "cli/lines.hpp"

namespace riffle::cli {

namespace {

constexpr std::size_t batch_size = 4096;

byte_set without_newline(const byte_set& set) {
  byte_set others = ~set;
  others.add('\n');
  return ~others;
}

}  // namespace

void line_histogram::add(const line_histogram& other) {
  for (std::size_t matches = 0; matches != few; ++matches) few_[matches] += other.few_[matches];
  for (const auto& [matches, lines] : other.many_) many_[matches] += lines;
}

line_histogram part_lines::lines() const {
  line_histogram all = whole;
  if (has_newline) all.add(first);
  if (unfinished) all.add(last);
  return all;
}

line_counter::line_counter(const byte_set& set) : set_(without_newline(set)) {}

part_lines line_counter::operator()(std::string_view part) const {
  const kernel::table& kernel = kernel::active();
  std::array<std::uint64_t, batch_size / 64> matches;
  std::array<std::uint64_t, batch_size / 64> newlines;
  std::array<std::uint32_t, batch_size + 1> counts;
  part_lines found;
  found.unfinished = !part.empty() && part.back() != '\n';
  for (; !part.empty(); part.remove_prefix(std::min(batch_size, part.size()))) {
    const std::string_view batch = part.substr(0, batch_size);
    scan::match_any_of(batch, set_, matches);
    scan::match_byte(batch, '\n', newlines);
    const std::size_t ends =
        kernel.count_between(matches.data(), newlines.data(), scan::mask_words(batch.size()), counts.data());
    for (std::size_t i = 0; i != ends; ++i) found.end_line(counts[i]);
    found.last += counts[ends];
  }
  return found;
}

part_lines line_counter::join(part_lines left, const part_lines& right) {
  if (right.has_newline) {
    left.end_line(right.first);
    left.whole.add(right.whole);
  }
  left.last += right.last;
  left.unfinished = right.unfinished;
  return left;
}

part_lines occurrences_per_line(std::string_view part, std::span<const std::string> texts) {
  part_lines found;
  found.unfinished = !part.empty() && part.back() != '\n';
  const auto end_lines_of = [&found](std::string_view between) {
    const std::uint64_t lines = scan::count_lines(between);
    if (lines == 0) return;
    found.end_line(0);
    found.whole.add(0, lines - 1);
  };
  text_search search(texts, part);
  std::size_t from = 0;
  for (text_search::match at; (at = search.next(from)).start != std::string_view::npos; from = at.end) {
    end_lines_of(part.substr(from, at.start - from));
    ++found.last;
  }
  end_lines_of(part.substr(from));
  return found;
}

}  // namespace riffle::cli
