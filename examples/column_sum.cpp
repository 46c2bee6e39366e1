/// Prints the sum of a column of numbers, found by its name in the first row of TSV or CSV: `riffle::rows`.
#include <charconv>
#include <exception>
#include <iomanip>
#include <iostream>
#include <riffle/riffle.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>

namespace {

/// The index of the column of that name in the first row.
std::size_t find_column(riffle::row_range& rows, std::string_view name) {
  for (const riffle::row header : rows) {
    for (std::size_t column = 0; column < header.size(); ++column) {
      if (header.unescaped(column) == name) return column;
    }
    break;
  }
  throw std::runtime_error("no column '" + std::string(name) + "'");
}

double number(const riffle::row& row, std::size_t column) {
  std::string_view field = row.at(column);  // throws if the row has too few fields
  if (field.starts_with('"')) field = row.unescaped(column);
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error == std::errc() && end == field.data() + field.size()) return value;
  throw std::runtime_error("row " + std::to_string(row.number()) + ": not a number: '" + std::string(field) +
                           "'");
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string_view format = argc == 4 ? argv[1] : "";
  if (format != "csv" && format != "tsv")
    throw std::invalid_argument("usage: column_sum csv|tsv FILE COLUMN");
  riffle::row_options options{.field = '\t', .strip_cr = true};
  if (format == "csv") options = {.quote = '"', .strip_cr = true};
  riffle::row_range rows = riffle::rows(argv[2], options);
  const std::size_t column = find_column(rows, argv[3]);
  double sum = 0;
  for (const riffle::row row : rows) sum += number(row, column);
  std::cout << std::fixed << std::setprecision(2) << sum << '\n';
} catch (const std::exception& failure) {
  std::cerr << "column_sum: " << failure.what() << '\n';
  return 1;
}
