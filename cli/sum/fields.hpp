/// Reads the numbers that stand as text in one field of each row, in one thread or several.
#ifndef RIFFLE_CLI_SUM_FIELDS_HPP
#define RIFFLE_CLI_SUM_FIELDS_HPP

#include <riffle/parallel_rows.hpp>
#include <riffle/rows.hpp>
#include <riffle/source.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "cli/fields.hpp"
#include "cli/remedies/fields.hpp"

namespace riffle::cli {

/// Calls `take` with each number in a field of the rows. Throws as `row::get` and `row_range::column` do,
/// with a remedy.
template <class T, class Take>
void each_number(row_range& rows, const field_range& field, const row_options& options, Take take) {
  const std::size_t index = numbered({field}, rows, options).front().first - 1;
  for_each(rows, [&](const row& each) {
    T value{};
    try {
      value = each.get<T>(index);
    } catch (const error& failure) {
      throw_with_remedy(failure, remedy_for_field(each, index, options));
    }
    take(value);
  });
}

/// Calls `take` with the numbers of one field, many at a time, in the order of the input: in one thread at a
/// time, so that the sum of floats does not depend on the threads. Throws as `each_number` does.
template <class T, class Take>
void for_each_number(source from, const field_range& field, const row_options& options,
                     parallel_options splitting, Take take) {
  if (splitting.threads == 1 || !from.seekable()) {
    std::array<T, 512> numbers;
    std::size_t count = 0;
    row_range all(std::move(from), options);
    each_number<T>(all, field, options, [&](T value) {
      numbers[count++] = value;
      if (count != numbers.size()) return;
      take(std::span<const T>(numbers));
      count = 0;
    });
    return take(std::span<const T>(numbers).first(count));
  }
  // The numbers of a part wait for the parts before, and may take four times its memory.
  constexpr std::size_t largest_part = 512 * 1024;
  splitting.split_size =
      std::min(splitting.split_size == 0 ? largest_part : splitting.split_size, largest_part);
  const auto numbers_of = [&](row_range& part) {
    std::vector<T> numbers;
    each_number<T>(part, field, options, [&](T value) { numbers.push_back(value); });
    return numbers;
  };
  std::size_t taken = 0;
  const auto take_part = [&](std::size_t before, const std::vector<T>& numbers) {
    take(std::span<const T>(numbers));
    return before + numbers.size();
  };
  parallel_rows_into(taken, std::move(from), numbers_of, take_part, options, splitting);
}

}  // namespace riffle::cli

#endif
