/// Counts in how many lines a set of bytes, or a text, occurs how often.
#pragma once

#include <riffle/scan.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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
  void add(const line_histogram& other);
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
  line_histogram lines() const;
};

/// Counts the parts of a file. Several threads may share one.
class line_counter {
 public:
  /// Counts the bytes of `set`, except the newline, which is no part of a line.
  explicit line_counter(const byte_set& set);

  part_lines operator()(std::string_view part) const;
  /// The lines of two parts that lie side by side; `right` has a byte.
  static part_lines join(part_lines left, const part_lines& right);

 private:
  byte_set set_;
};

/// Counts how often one of the texts occurs in each line of a part that consists of whole lines.
part_lines occurrences_per_line(std::string_view part, std::span<const std::string> texts);

}  // namespace riffle::cli
