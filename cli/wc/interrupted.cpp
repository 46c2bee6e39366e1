/// The columns are as wide as the numbers need: the sizes of the files that follow do not matter here.
#include "cli/wc/interrupted.hpp"

#include <algorithm>
#include <string_view>

namespace riffle::cli {

void add_row(wc_numbers& total, const wc_numbers& row) {
  const std::size_t width = total.size() - 1;
  for (std::size_t column = 0; column != width; ++column) total[column] += row[column];
  total[width] = std::max(total[width], row[width]);
}

std::string rows_so_far(const wc_so_far::snapshot& counted, const wc_columns& columns) {
  wc_numbers all = counted.total;
  if (counted.current) add_row(all, counted.current->value);
  std::size_t width = 1;
  for (std::size_t column = 0; column != all.size(); ++column) {
    if (columns[column]) width = std::max(width, digits_in(all[column]));
  }
  std::string rows;
  if (counted.current) append_row(rows, counted.current->value, columns, width, counted.current->name);
  // Without a file that was begun, there is nothing to add up.
  const std::string_view name = counted.finished != 0 ? "total" : "";
  if (!counted.current || counted.finished != 0) append_row(rows, all, columns, width, name);
  return rows;
}

}  // namespace riffle::cli
