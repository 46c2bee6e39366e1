/// Counts values of rows for the tool and for Python, in one thread or in several, and takes those of several
/// columns apart.
#pragma once

#include <riffle/parallel_rows.hpp>
#include <riffle/value_counts.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "text/bad_rows.hpp"

namespace riffle::text {

/// Calls `add(value_counter&, const row&)` with each row that it can use, for `total` or for the counter of a
/// split, which `total` then gets. Throws as `bad_rows::advance`, `parallel_rows_into` and
/// `value_counter::add`.
template <class Add>
void count_rows(value_counter& total, bad_rows& bad, row_range rows, const parallel_options& splitting,
                Add add) {
  const auto count = [&add](row_range& some, value_counter& values, bad_rows& skipped) {
    skipped.for_each(some, [&](const row& each) { add(values, each); });
  };
  if (splitting.threads == 1) return count(rows, total, bad);
  const auto in_split = [&](row_range& split) {
    std::pair<value_counter, bad_rows> part(value_counter(), bad.of_split());
    count(split, part.first, part.second);
    return part;
  };
  const auto add_split = [&](int, const std::pair<value_counter, bad_rows>& part) {
    total.add(part.first);
    bad.add(part.second);
    return 0;
  };
  int done = 0;
  parallel_rows_into(done, std::move(rows), in_split, add_split, splitting);
}

/// Calls `f(std::string_view)` with each field of a value of several columns: those that
/// `value_counter::append_field` joined.
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
