/// Writes rows byte for byte as GNU wc does.
#include "cli/wc/row.hpp"

#include <algorithm>
#include <charconv>

#include "text/quoted.hpp"

namespace riffle::cli {

namespace {

std::string_view digits_of(std::uint64_t number, std::array<char, 20>& space) {
  return {space.data(), std::to_chars(space.data(), space.data() + space.size(), number).ptr};
}

}  // namespace

wc_numbers numbers_of(const counts& counted) {
  return {counted.lines, counted.words, counted.characters, counted.bytes, counted.width};
}

wc_columns columns_of(const wanted& what) {
  return {what.lines, what.words, what.characters, what.bytes, what.width};
}

std::size_t digits_in(std::uint64_t number) {
  std::array<char, 20> space{};
  return digits_of(number, space).size();
}

void append_row(std::string& rows, const wc_numbers& row, const wc_columns& columns, std::size_t width,
                std::string_view name) {
  const std::size_t start = rows.size();
  for (std::size_t column = 0; column != row.size(); ++column) {
    if (!columns[column]) continue;
    std::array<char, 20> space{};
    const std::string_view digits = digits_of(row[column], space);
    if (rows.size() != start) rows += ' ';
    rows.append(width - std::min(width, digits.size()), ' ').append(digits);
  }
  if (!name.empty()) rows.append(" ").append(text::quoted_for_row(name));
  rows += '\n';
}

}  // namespace riffle::cli
