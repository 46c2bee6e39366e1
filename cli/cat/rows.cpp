/// Writes the fields of a row in the order of the list, and a delimiter behind them.
#include "cli/cat/rows.hpp"

#include <riffle/rows.hpp>

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/cat/line_number.hpp"

namespace riffle::cli {

namespace {

// A field that the row lacks is empty. With quotes, a row ends in CR LF, whichever field is the last.
void add_fields(const row& from, std::span<const field_range> fields, const cat_arguments& given,
                cat_output& out) {
  const std::size_t count = from.size();
  std::string_view last = from[count - 1];
  const bool cr = given.rows.quote && !given.strip_cr && last.ends_with('\r');
  if (cr) last.remove_suffix(1);
  bool first = true;
  for (const field_range& range : fields) {
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

std::optional<std::uint64_t> copy_rows(source from, const cat_arguments& given, copied_rows& copied,
                                       cat_output& out) {
  const row_range rows(std::move(from), given.rows);
  const std::vector<field_range> fields = numbered(given.fields, rows, given.rows);
  const line_span span = given.span.value_or(line_span{});
  line_number number;
  number.set(given.span ? span.first : copied.count + 1);
  row_range::cursor at = rows.resume();
  if (at.record.size() != 0 && !std::exchange(copied.header, true)) add_fields(at.record, fields, given, out);
  std::uint64_t passed = 0;
  for (; passed < span.last; ++passed) {
    if (!row_range::advance(at)) return std::nullopt;
    if (passed + 1 < span.first) continue;
    if (given.number) {
      out.add(number.text());
      number.advance();
    }
    add_fields(at.record, fields, given, out);
    ++copied.count;
  }
  if (!rows.from().seekable()) return std::nullopt;
  return at.record.size() == 0 ? rows.from().start() : at.record.offset_behind();
}

}  // namespace riffle::cli
