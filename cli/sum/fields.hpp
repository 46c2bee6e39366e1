/// Reads the numbers that stand as text in one field of each row, in several threads.
#ifndef RIFFLE_CLI_SUM_FIELDS_HPP
#define RIFFLE_CLI_SUM_FIELDS_HPP

#include <riffle/parallel_rows.hpp>
#include <riffle/rows.hpp>
#include <riffle/source.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "cli/fields.hpp"
#include "cli/remedies/fields.hpp"
#include "cli/threads/rule.hpp"

namespace riffle::cli {

/// Calls `take` with the numbers in a field of the rows, many at a time, in the order of the input: in one
/// thread at a time, so that the sum of floats does not depend on the threads. Throws as `row::get` and
/// `row_range::column` do, with a remedy.
template <class T, class Take>
void for_each_number(source from, const field_range& field, const dialect& options,
                     parallel_options splitting, Take take) {
  splitting.split_size = std::min(splitting.split_size, largest_waiting_part);
  row_range rows(std::move(from), options);
  const std::size_t index = numbered({field}, rows, options).front().first - 1;
  const auto numbers_of = [&](row_range& part) {
    std::vector<T> numbers;
    for_each(part, [&](const row& each) {
      try {
        numbers.push_back(each.get<T>(index));
      } catch (const error& failure) {
        throw_with_remedy(failure, remedy_for_field(each, index, options));
      }
    });
    return numbers;
  };
  std::size_t taken = 0;
  const auto take_part = [&](std::size_t before, const std::vector<T>& numbers) {
    take(std::span<const T>(numbers));
    return before + numbers.size();
  };
  parallel_rows_into(taken, std::move(rows), numbers_of, take_part, splitting);
}

}  // namespace riffle::cli

#endif
