/// Counts the rows that are skipped and the values of rows, for the tool and for Python.
#pragma once

#include <riffle/error.hpp>
#include <riffle/parallel_rows.hpp>
#include <riffle/rows.hpp>
#include <riffle/value_counts.hpp>

#include <array>
#include <concepts>
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

  /// Lets `add(row_range&)` add the rows that are left, and go on after each that it cannot use. Throws as
  /// `advance`.
  template <class Add>
  void add_all(row_range& rows, Add add) {
    const auto step = [&](cursor&) { return add(rows), false; };
    cursor at = detail::steps::resume(rows);
    advance(at, step, [](const row&) {});
  }

  /// Returns whether a row is skipped for this failure.
  bool skips(const error& failure) const;
  /// The same; then it is one of those that are counted.
  bool note(const error& failure, std::uint64_t number);
  /// Returns what goes through the rows of a split.
  bad_rows of_split() const { return bad_rows(skips_); }
  /// Adds the rows of the next split.
  void add(const bad_rows& split);
  /// Throws `riffle::error` if rows of the input were skipped.
  void fail_if_any(const std::string& input) const;

 private:
  static constexpr std::size_t most_numbers = 5;

  bool skips_;
  std::uint64_t rows_ = 0;                 // of the splits so far
  std::array<std::uint64_t, 4> counts_{};  // of each kind
  std::vector<std::uint64_t> first_ = {};  // numbers of the first rows that were skipped
};

/// Calls `use(to, const row&)` with each row that it can use, or `use(to, row_range&)` if it takes the rows
/// that are left, as `bad_rows::add_all` says: `to` is `whole` if one thread reads, else what `make` returned
/// for a part, which `join(Part&&)` gets in order. What the rows before a failure gave is joined. Throws as
/// `bad_rows::advance`, `parallel_rows_into` and `join`.
template <class Whole, class Make, class Use, class Join>
void rows_in_parts(Whole& whole, bad_rows& bad, row_range rows, const thread_options& splitting, Make make,
                   Use use, Join join) {
  const auto use_all = [&use](auto& to, bad_rows& skipped, row_range& some) {
    if constexpr (std::invocable<Use&, decltype(to), row_range&>) {
      skipped.add_all(some, [&](row_range& left) { use(to, left); });
    } else {
      skipped.for_each(some, [&](const row& each) { use(to, each); });
    }
  };
  if (splitting.threads == 1 || !rows.from().seekable()) return use_all(whole, bad, rows);
  const auto in_split = [&](row_range& split) {
    std::pair part(make(), bad.of_split());
    try {
      use_all(part.first, part.second, split);
    } catch (const error&) {
      detail::fail_split(split);
    }
    return part;
  };
  const auto join_split = [&](int done, decltype(in_split(rows))&& part) {
    join(std::move(part.first));
    bad.add(part.second);
    return done;
  };
  int done = 0;
  parallel_rows_into(done, std::move(rows), in_split, join_split, splitting);
}

/// Adds rows to a `value_counter` or `key_sums` by `add(total, const row&)`. Throws as `rows_in_parts`.
template <class Total, class Add>
void count_rows(Total& total, bad_rows& bad, row_range rows, const thread_options& splitting, Add add) {
  rows_in_parts(
      total, bad, std::move(rows), splitting, [] { return Total(); }, add,
      [&total](const Total& part) { total.add(part); });
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
