/// Counts the rows that are skipped and the values of rows, for the tool and for Python.
#pragma once

#include <riffle/error.hpp>
#include <riffle/parallel_rows.hpp>
#include <riffle/rows.hpp>
#include <riffle/value_counts.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace riffle::text {

/// Goes through the rows of an input or of a split, and notes those that cannot be used.
class bad_rows {
 public:
  using cursor = detail::steps::cursor<row_range>;

  /// `skips`: a bad row does not end the reading.
  explicit bad_rows(bool skips = false) : skips_(skips) {}

  /// Moves to the next row that `use(const row&)` can use, by `step`, which is as `detail::steps::advance`.
  /// Returns false at the end. Throws what a step or `use` throws, unless the row is skipped for it.
  template <class Step, class Use>
  [[gnu::always_inline]] bool advance(cursor& at, Step&& step, Use&& use) {
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
  [[gnu::always_inline]] bool advance(cursor& at, Use&& use) {
    return advance(at, [](cursor& to) { return detail::steps::advance<row_range>(to); }, use);
  }
  /// Calls `use` with each row that it can use. Throws as `advance`.
  template <class Use>
  [[gnu::always_inline]] void for_each(row_range& rows, Use use) {
    cursor at = detail::steps::resume(rows);
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

/// Calls `add(Total&, const row&)` with each row that it can use, for `total` or for that of a split, which
/// `total` then gets: a `value_counter` or `key_sums`. Throws as `bad_rows::advance`, `parallel_rows_into`
/// and `Total::add`.
template <class Total, class Add>
void count_rows(Total& total, bad_rows& bad, row_range rows, const thread_options& splitting, Add add) {
  const auto count = [&add](row_range& some, Total& values, bad_rows& skipped) {
    skipped.for_each(some, [&](const row& each) { add(values, each); });
  };
  if (splitting.threads == 1) return count(rows, total, bad);
  const auto in_split = [&](row_range& split) {
    std::pair<Total, bad_rows> part(Total(), bad.of_split());
    count(split, part.first, part.second);
    return part;
  };
  const auto add_split = [&](int, const std::pair<Total, bad_rows>& part) {
    total.add(part.first);
    bad.add(part.second);
    return 0;
  };
  int done = 0;
  parallel_rows_into(done, std::move(rows), in_split, add_split, splitting);
}

/// Calls `f(std::string_view)` with each field of a value of several columns: those that
/// `detail::append_field` joined.
template <class F>
void for_each_field(std::string_view joined, F f) {
  std::string field;
  bool inside = false;  // of quotes
  for (std::size_t i = 0; i != joined.size(); ++i) {
    if (joined[i] == '"') {
      inside = !inside;
      if (inside && i != 0 && joined[i - 1] == '"') field += '"';
    } else if (joined[i] == '\t' && !inside) {
      f(std::string_view(field));
      field.clear();
    } else {
      field += joined[i];
    }
  }
  f(std::string_view(field));
}

}  // namespace riffle::text
