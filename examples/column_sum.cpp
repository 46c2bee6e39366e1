/// Prints the sum of a column, found by its name in the first row of TSV or CSV: `riffle::columns`.
#include <exception>
#include <iomanip>
#include <iostream>
#include <riffle/riffle.hpp>
#include <stdexcept>
#include <string_view>

int main(int argc, char** argv) try {
  const std::string_view format = argc == 4 ? argv[1] : "";
  if (format != "csv" && format != "tsv")
    throw std::invalid_argument("usage: column_sum csv|tsv FILE COLUMN");
  double sum = 0;
  const riffle::dialect rows = format == "csv" ? riffle::csv : riffle::tsv;
  for (const auto [value] : riffle::columns<double>(argv[2], {argv[3]}, rows)) sum += value;
  std::cout << std::fixed << std::setprecision(2) << sum << '\n';
} catch (const std::exception& failure) {
  std::cerr << "column_sum: " << failure.what() << '\n';
  return 1;
}
