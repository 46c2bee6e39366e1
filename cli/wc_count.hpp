/// What `riffle wc` counts: the columns, and the counts of a part of a file.
#ifndef RIFFLE_CLI_WC_COUNT_HPP
#define RIFFLE_CLI_WC_COUNT_HPP

#include <cstdint>
#include <string_view>

#include "parallel/word_part.hpp"

namespace riffle::cli {

/// The columns of wc, in their order.
struct wanted {
  bool lines = false;
  bool words = false;
  bool characters = false;
  bool bytes = false;
  bool width = false;  // the display width of the widest line

  friend bool operator==(const wanted&, const wanted&) = default;
  /// Whether a file's size alone may answer.
  bool only_bytes() const { return *this == wanted{.bytes = true}; }
};

/// The counts of a part of a file. Parts add up from left to right, and a word cut in two counts once.
struct counts {
  std::uint64_t lines = 0;
  word_part words;
  std::uint64_t characters = 0;
  std::uint64_t bytes = 0;
  std::uint64_t width = 0;

  friend counts operator+(const counts& left, const counts& right);
};

/// Counts a part of a file. Several threads may share one.
class part_counter {
 public:
  explicit part_counter(const wanted& what) : what_(what) {}
  counts operator()(std::string_view part) const;

 private:
  wanted what_;
};

}  // namespace riffle::cli

#endif
