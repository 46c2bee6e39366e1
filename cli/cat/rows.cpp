/// Writes the fields of a row in the order of the list, and a delimiter behind them.
#include "cli/cat/rows.hpp"

#include <string_view>

#include "cli/cat/line_number.hpp"
#include "record/row_scan.hpp"

namespace riffle::cli {

namespace {

// Takes the CR at the end of a row from its last field, as `strip_cr` does, which costs more. Returns whether
// there is one.
bool take_cr(detail::row_state& row) {
  std::uint64_t& end = row.ends[row.count - 1];
  const std::uint64_t last_field = (&end)[-1] + 1;
  if (end == last_field || row.bytes[end - 1] != '\r') return false;
  row.cut = &--end;
  return true;
}

// A field that the row lacks is empty. With quotes, a row ends in CR LF, whichever field is the last.
void add_fields(detail::row_state& row, const cat_arguments& given, cat_output& out) {
  const bool cr = given.rows.quote && !given.strip_cr && take_cr(row);
  bool first = true;
  for (const field_range& range : given.fields) {
    const std::size_t last = range.last == open_end ? row.count : range.last;
    for (std::size_t number = range.first; number <= last; ++number) {
      if (!first) out.add(given.rows.field);
      if (number <= row.count) out.add(row.field(number - 1));
      first = false;
    }
  }
  if (cr) out.add('\r');
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
