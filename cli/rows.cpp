/// Parses lists of fields, and finds their columns in the header of each file.
#include "cli/rows.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "cli/command_line.hpp"
#include "cli/output.hpp"
#include "text/shown.hpp"

namespace riffle::cli {

namespace {

// Refuses a mistyped number, and a range whose missing fields would fill the memory.
constexpr std::uint64_t most_fields = std::uint64_t{1} << 24U;

std::size_t parse_one(std::string_view number) {
  return static_cast<std::size_t>(text::parse_number(number, 1, most_fields));
}

// What is written of digits and dashes is no name, unless it says so.
field_range parse_item(std::string_view text) {
  constexpr std::string_view mark = "name:";
  if (text.empty())
    throw text::usage_error("a field is missing; write numbers, ranges such as 2-4, or names");
  if (text.starts_with(mark)) return {0, 0, std::string(text.substr(mark.size()))};
  if (text.find_first_not_of("0123456789-") != text.npos) return {0, 0, std::string(text)};
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return {parse_one(text), parse_one(text)};
  const std::string_view first = text.substr(0, dash);
  const std::string_view last = text.substr(dash + 1);
  if (first.empty() && last.empty()) throw text::usage_error("a range needs a number, such as 2-4, 5- or -3");
  const field_range range{first.empty() ? 1 : parse_one(first), last.empty() ? open_end : parse_one(last)};
  if (range.first > range.last) throw text::usage_error("the range ends before it starts");
  return range;
}

// Where the word stands among the names, which are in the order of their values.
std::ptrdiff_t place_in(const std::vector<std::string_view>& names, std::string_view word,
                        std::string_view what) {
  const auto found = std::ranges::find(names, word);
  if (found == names.end()) throw no_such(what, names);
  return found - names.begin();
}

}  // namespace

field_range parse_column(std::string_view column) {
  if (column.starts_with('"')) {
    std::vector<field_range> names = parse_columns(column);
    if (names.size() != 1) throw text::usage_error("one field only; use --columns for several");
    return std::move(names.front());
  }
  if (column.find_first_of(",-") != column.npos && column.find_first_not_of("0123456789-,") == column.npos) {
    throw text::usage_error(
        fmt::format("one field only; use --columns for several, or name:{} for a name", column));
  }
  return parse_item(column);
}

std::vector<field_range> parse_columns(std::string_view list) try {
  // No argument holds a NUL byte, so the list is one row.
  constexpr dialect one_row{.delimiter = '\0', .strip_cr = false, .skip_bom = false, .skip_blank = false};
  std::vector<field_range> fields;
  while (list.find('"') == list.npos) {
    const std::size_t comma = list.find(',');
    fields.push_back(parse_item(list.substr(0, comma)));
    if (comma == list.npos) return fields;
    list.remove_prefix(comma + 1);
  }
  for (const row& each : rows(memory(list), one_row)) {
    for (std::size_t i = 0; i != each.size(); ++i) {
      const bool is_name = each[i].starts_with('"');
      fields.push_back(is_name ? field_range{0, 0, std::string(each.unescaped(i))} : parse_item(each[i]));
    }
  }
  return fields;
} catch (const error&) {
  throw text::usage_error("a quote is not closed");
}

std::vector<field_range> parse_each_column(std::string_view list) {
  constexpr std::size_t most = 1000;
  std::vector<field_range> fields;
  for (const field_range& each : parse_columns(list)) {
    if (each.last == open_end) throw text::usage_error("a range without an end; name its last column");
    if (each.last - each.first >= most) throw text::usage_error("too many columns; name at most 1000");
    for (std::size_t i = each.first; i <= each.last; ++i) fields.push_back({i, i, each.name});
  }
  return fields;
}

std::vector<field_range> complement_of(std::vector<field_range> fields) {
  std::ranges::sort(fields, {}, &field_range::first);
  std::vector<field_range> others;
  std::size_t next = 1;
  for (const field_range& each : fields) {
    if (each.first > next) others.push_back({next, each.first - 1});
    if (each.last == open_end) return others;
    next = std::max(next, each.last + 1);
  }
  others.push_back({next, open_end});
  return others;
}

std::vector<field_range> numbered(std::vector<field_range> fields, const row_range& rows,
                                  const dialect& options) try {
  for (field_range& each : fields) {
    if (each.name) each.first = each.last = rows.column(*each.name) + 1;
  }
  return fields;
} catch (const error& failure) {
  if (failure.code() != errc::no_such_column) throw;
  throw_with_remedy(failure, remedy_for_header(rows.names(), options));
}

std::vector<std::size_t> indices_of(std::span<const field_range> fields, const row_range& rows,
                                    const dialect& options) {
  std::vector<std::size_t> indices;
  for (const field_range& each : numbered({fields.begin(), fields.end()}, rows, options)) {
    indices.push_back(each.first - 1);
  }
  return indices;
}

void use_dialect(dialect& rows, const dialect& wanted) {
  rows.separator = wanted.separator;
  rows.whitespace = wanted.whitespace;
  rows.quote = wanted.quote;
  rows.strip_cr = wanted.strip_cr;
  rows.skip_blank = wanted.skip_blank;
}

void set_max_length(arguments& given, std::string_view value) {
  constexpr std::uint64_t longest = std::uint64_t{1} << 60U;  // refuses a mistyped length
  // No row is longer than the addresses of this machine.
  static_cast<field_arguments&>(given).rows.max_length = static_cast<std::size_t>(
      std::min<std::uint64_t>(text::parse_size(value, 0, longest), std::numeric_limits<std::size_t>::max()));
}

std::vector<std::string_view> quoting_names() {
  return {"lax", "strict"};
}
quoting parse_quoting(std::string_view name) {
  return static_cast<quoting>(place_in(quoting_names(), name, "rules"));
}

std::vector<std::string_view> ragged_names() {
  return {"keep", "fail", "pad"};
}
ragged parse_ragged(std::string_view name) {
  return static_cast<ragged>(place_in(ragged_names(), name, "rule"));
}

std::vector<std::string_view> bad_rows_names() {
  return {"fail", "skip"};
}
bool parse_bad_rows(std::string_view name) {
  return place_in(bad_rows_names(), name, "rule") == 1;
}

std::string column_in(const std::vector<std::string>& header, std::size_t index) {
  return index >= header.size() ? "missing" : "'" + text::shortened(header[index], 40) + "'";
}

std::string why_other_header(const std::vector<std::string>& header, std::size_t index,
                             const std::vector<std::string>& first, const std::string& first_file,
                             const char* option) {
  return fmt::format("its column {} is {}, and that of '{}' is {}; name the {}, or use --any-header",
                     index + 1, column_in(header, index), first_file, column_in(first, index), option);
}

void resolve(field_arguments& given, std::span<const field_range> fields, bool asks_for_values) {
  dialect& rows = given.rows;
  if (rows.whitespace && (given.separator || given.quote)) {
    throw text::usage_error(
        "fields between white space have no separator and no quotes; leave out --whitespace");
  }
  rows.separator = given.separator.value_or(rows.separator);
  if (given.quote) rows.quote = given.quote;
  if (rows.quoting == quoting::strict && !rows.quote) {
    throw text::usage_error("--quoting is about quotes; add --quote, or leave out --tsv and --plain");
  }
  if (given.skip_bad_rows && !asks_for_values && rows.ragged != ragged::fail) {
    throw text::usage_error(
        "--bad-rows skip finds no bad row here; add --ragged fail to skip those with too few or too many "
        "fields");
  }
  for (const field_range& each : fields) rows.header |= each.name.has_value();
  if (const std::string_view same = detail::same_bytes_in(rows); !same.empty()) {
    throw text::usage_error(std::string(same));
  }
}

bool first_header::is_that_of(const std::string& file, const std::vector<std::string>& header,
                              std::exception_ptr& problem) {
  if (header.empty() || any_header_) return true;
  const std::string name = file == "-" ? "standard input" : file;
  if (file_.empty()) {
    file_ = name;
    header_ = header;
  }
  for (std::size_t i = 0; i != columns_.size(); ++i) {
    const field_range& each = columns_[i];
    const std::size_t index = each.first - 1;
    if (each.name || column_in(header_, index) == column_in(header, index)) continue;
    differs_ = true;
    problem = nullptr;
    complain(fmt::format(
        "riffle: cannot {} '{}': {}", verb_, name,
        why_other_header(header, index, header_, file_, i < own_ ? option_ : "columns in --where")));
    return false;
  }
  return true;
}

}  // namespace riffle::cli
