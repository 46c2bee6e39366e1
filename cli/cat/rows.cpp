/// Writes the fields of a row in the order of the list, and a delimiter behind them.
#include "cli/cat/rows.hpp"

#include <string_view>

#include "cli/cat/line_number.hpp"
#include "record/row_scan.hpp"

namespace riffle::cli {

namespace {

// A field that the row lacks is empty.
void add_fields(const detail::row_state& row, const cat_arguments& given, cat_output& out) {
  bool first = true;
  for (const field_range& range : given.fields) {
    const std::size_t last = range.last == open_end ? row.count : range.last;
    for (std::size_t number = range.first; number <= last; ++number) {
      if (!first) out.add(given.rows.field);
      if (number <= row.count) out.add(row.field(number - 1));
      first = false;
    }
  }
  out.add(given.ending());
}

}  // namespace

std::optional<std::uint64_t> copy_rows(const input& from, const cat_arguments& given, std::uint64_t& copied,
                                       cat_output& out) {
  row_options options = given.rows;
  options.delimiter = given.delimiter;
  options.strip_cr = given.strip_cr;
  options.max_length = given.max_length;
  detail::row_scan row(from, options, given.options);
  row.before_block = [&] { out.flush(); };  // reading may wait
  const line_span span = given.span.value_or(line_span{});
  line_number number;
  number.set(given.span ? span.first : copied + 1);
  while (row.number < span.last) {
    if (!row.next()) return std::nullopt;
    if (row.number < span.first) continue;
    if (given.number) {
      out.add(number.text());
      number.advance();
    }
    add_fields(row, given, out);
    ++copied;
  }
  return row.offset_behind();
}

}  // namespace riffle::cli
