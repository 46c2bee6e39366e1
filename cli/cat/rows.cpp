/// Writes the fields of a row in the order of the list, and a delimiter behind them.
#include "cli/cat/rows.hpp"

#include <riffle/rows.hpp>

#include <string_view>
#include <utility>

#include "cli/cat/line_number.hpp"

namespace riffle::cli {

namespace {

// A field that the row lacks is empty. With quotes, a row ends in CR LF, whichever field is the last.
void add_fields(const row& from, const cat_arguments& given, cat_output& out) {
  const std::size_t count = from.size();
  std::string_view last = from[count - 1];
  const bool cr = given.rows.quote && !given.strip_cr && last.ends_with('\r');
  if (cr) last.remove_suffix(1);
  bool first = true;
  for (const field_range& range : given.fields) {
    const std::size_t end = range.last == open_end ? count : range.last;
    for (std::size_t number = range.first; number <= end; ++number) {
      if (!first) out.add(given.rows.field);
      if (number <= count) out.add(number == count ? last : from[number - 1]);
      first = false;
    }
  }
  if (cr) out.add('\r');
  out.add(given.ending());
}

}  // namespace

std::optional<std::uint64_t> copy_rows(source from, const cat_arguments& given, std::uint64_t& copied,
                                       cat_output& out) {
  row_options options = given.rows;
  options.delimiter = given.delimiter;
  options.skip_bom = given.rows.skip_bom || given.rows.quote;
  options.strip_cr = given.strip_cr;
  options.max_length = given.max_length;
  row_range rows(std::move(from), options);
  const line_span span = given.span.value_or(line_span{});
  line_number number;
  number.set(given.span ? span.first : copied + 1);
  row_range::cursor at = rows.resume();
  std::uint64_t passed = 0;
  for (; passed < span.last; ++passed) {
    if (!row_range::advance(at)) return std::nullopt;
    if (passed + 1 < span.first) continue;
    if (given.number) {
      out.add(number.text());
      number.advance();
    }
    add_fields(at.record, given, out);
    ++copied;
  }
  if (!rows.from().seekable()) return std::nullopt;
  return passed == 0 ? rows.from().start() : at.record.offset_behind();
}

}  // namespace riffle::cli
