/// Reads the numbers that stand as text in one field of each row.
#ifndef RIFFLE_CLI_SUM_FIELDS_HPP
#define RIFFLE_CLI_SUM_FIELDS_HPP

#include <riffle/rows.hpp>
#include <riffle/source.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <utility>

#include "cli/fields.hpp"
#include "cli/remedies/fields.hpp"

namespace riffle::cli {

/// Calls `take` with the numbers in a field of all rows, many at a time. Throws as `row::get` and
/// `row_range::column` do, with a remedy.
template <class T, class Take>
void for_each_number(source from, const field_range& field, const row_options& options, Take take) {
  std::array<T, 512> numbers;
  std::size_t count = 0;
  row_range all(std::move(from), options);
  const std::size_t index = numbered({field}, all, options).front().first - 1;
  for_each(all, [&](const row& each) {
    try {
      numbers[count++] = each.get<T>(index);
    } catch (const error& failure) {
      throw_with_remedy(failure, remedy_for_field(each, index, options));
    }
    if (count != numbers.size()) return;
    take(std::span<const T>(numbers));
    count = 0;
  });
  take(std::span<const T>(numbers).first(count));
}

}  // namespace riffle::cli

#endif
