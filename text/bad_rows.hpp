/// What --bad-rows skip and bad_rows="skip" of Python do: goes on after a row that cannot be used, and says
/// at the end which were skipped.
#pragma once

#include <riffle/error.hpp>
#include <riffle/rows.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace riffle::text {

/// Goes through the rows of an input or of a split, and notes those that cannot be used.
class bad_rows {
 public:
  /// `skips`: a bad row does not end the reading.
  explicit bad_rows(bool skips = false) : skips_(skips) {}

  /// Moves to the next row that `use(const row&)` can use, by `step`, which is as `row_range::advance`.
  /// Returns false at the end. Throws what a step or `use` throws, unless the row is skipped for it.
  template <class Step, class Use>
  [[gnu::always_inline]] bool advance(row_range::cursor& at, Step&& step, Use&& use) {
    while (true) try {
        if (!step(at)) break;
        use(at.record);
        return true;
      } catch (const error& failure) {
        if (!note(failure, at.record.number())) throw;
      }
    rows_ = at.record.number();
    return false;
  }
  template <class Use>
  [[gnu::always_inline]] bool advance(row_range::cursor& at, Use&& use) {
    return advance(at, [](row_range::cursor& to) { return row_range::advance(to); }, use);
  }
  /// Calls `use` with each row that it can use. Throws as `advance`.
  template <class Use>
  [[gnu::always_inline]] void for_each(row_range& rows, Use use) {
    row_range::cursor at = rows.resume();
    while (advance(at, use)) {
    }
  }

  /// Returns whether a row is skipped for this failure.
  bool skips(const error& failure) const;
  /// Returns what goes through the rows of a split.
  bad_rows of_split() const { return bad_rows(skips_); }
  /// Adds the rows of the next split.
  void add(const bad_rows& split);
  /// Throws `riffle::error` if rows of the input were skipped.
  void fail_if_any(const std::string& input) const;

 private:
  static constexpr std::size_t most_numbers = 5;

  bool note(const error& failure, std::uint64_t number);

  bool skips_;
  std::uint64_t rows_ = 0;                 // of the splits so far
  std::array<std::uint64_t, 4> counts_{};  // of each kind
  std::vector<std::uint64_t> first_ = {};  // numbers of the first rows that were skipped
};

}  // namespace riffle::text
