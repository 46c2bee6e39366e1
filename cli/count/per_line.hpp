/// Counts in how many lines a set of bytes, or a text, occurs how often. It makes masks of the matches and of
/// the newlines of a batch, and counts the bits of the one between those of the other: no line has a call of
/// its own.
#pragma once

#include <riffle/scan.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/chosen.hpp"
#include "cli/kernel/kernels.hpp"

namespace riffle::cli {

/// How many lines have how many matches. Its memory grows with the number of different counts above `few`,
/// which is at most the square root of twice the bytes read.
class line_histogram {
 public:
  static constexpr std::size_t few = 1024;

  /// Adds `lines` with so many matches each.
  void add(std::uint64_t matches, std::uint64_t lines = 1) {
    if (matches < few) {
      few_[static_cast<std::size_t>(matches)] += lines;
    } else {
      many_[matches] += lines;
    }
  }
  void add(const line_histogram& other) {
    for (std::size_t matches = 0; matches != few; ++matches) few_[matches] += other.few_[matches];
    for (const auto& [matches, lines] : other.many_) many_[matches] += lines;
  }

  /// Calls `f(matches, lines)` for each number of matches that a line has, from the lowest.
  template <class F>
  void for_each(F f) const {
    for (std::size_t matches = 0; matches != few; ++matches) {
      if (few_[matches] != 0) f(std::uint64_t{matches}, few_[matches]);
    }
    for (const auto& [matches, lines] : many_) f(matches, lines);
  }

 private:
  std::vector<std::uint64_t> few_ = std::vector<std::uint64_t>(few);
  std::map<std::uint64_t, std::uint64_t> many_;
};

/// The matches in the lines of a part of a file, which may be cut anywhere.
struct part_lines {
  line_histogram whole;     // the lines that start and end in the part
  std::uint64_t first = 0;  // matches before the first newline, if there is one
  std::uint64_t last = 0;   // matches after the last newline
  bool has_newline = false;
  bool unfinished = false;  // the last byte is no newline

  /// Ends a line that has `more` matches beside those in `last`.
  void end_line(std::uint64_t more) {
    if (has_newline) {
      whole.add(last + more);
    } else {
      first = last + more;
    }
    has_newline = true;
    last = 0;
  }
  /// The histogram, if the part is the whole file. A last line without a newline is a line.
  line_histogram lines() const {
    line_histogram all = whole;
    if (has_newline) all.add(first);
    if (unfinished) all.add(last);
    return all;
  }
};

/// Counts the parts of a file. Several threads may share one.
class line_counter {
  static constexpr std::size_t batch_size = 4096;

 public:
  /// Counts the bytes of `set`, except the newline, which is no part of a line.
  explicit line_counter(const byte_set& set) : set_(~set) {
    set_.add('\n');
    set_ = ~set_;
  }

  part_lines operator()(std::string_view part) const {
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
      const std::size_t ends = kernel.count_between(matches.data(), newlines.data(),
                                                    detail::mask_words(batch.size()), counts.data());
      for (std::size_t i = 0; i != ends; ++i) found.end_line(counts[i]);
      found.last += counts[ends];
    }
    return found;
  }

  /// The lines of two parts that lie side by side; `right` has a byte.
  static part_lines join(part_lines left, const part_lines& right) {
    if (right.has_newline) {
      left.end_line(right.first);
      left.whole.add(right.whole);
    }
    left.last += right.last;
    left.unfinished = right.unfinished;
    return left;
  }

 private:
  byte_set set_;
};

/// Counts how often one of the texts occurs in each line of a part that consists of whole lines.
inline part_lines occurrences_per_line(std::string_view part, std::span<const std::string> texts) {
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
