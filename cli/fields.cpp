/// Parses lists of fields.
#include "cli/fields.hpp"

#include <limits>

#include "cli/command_line.hpp"
#include "text/bytes.hpp"
#include "text/numbers.hpp"

namespace riffle::cli {

namespace {

// Refuses a mistyped number, and a range whose missing fields would fill the memory.
constexpr std::uint64_t most_fields = std::uint64_t{1} << 24U;

field_range parse_range(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return {parse_field(text), parse_field(text)};
  const std::string_view first = text.substr(0, dash);
  const std::string_view last = text.substr(dash + 1);
  if (first.empty() && last.empty()) throw text::usage_error("a range needs a number, such as 2-4, 5- or -3");
  const field_range range{first.empty() ? 1 : parse_field(first),
                          last.empty() ? open_end : parse_field(last)};
  if (range.first > range.last) throw text::usage_error("the range ends before it starts");
  return range;
}

row_options& rows(arguments& given) {
  return static_cast<field_arguments&>(given).rows;
}

}  // namespace

std::size_t parse_field(std::string_view number) {
  return static_cast<std::size_t>(text::parse_number(number, 1, most_fields));
}

std::vector<field_range> parse_fields(std::string_view list) {
  std::vector<field_range> fields;
  while (true) {
    const std::size_t comma = list.find(',');
    fields.push_back(parse_range(list.substr(0, comma)));
    if (comma == std::string_view::npos) return fields;
    list.remove_prefix(comma + 1);
  }
}

void set_field_delimiter(arguments& given, std::string_view value) {
  rows(given).field = text::parse_byte(value);
}
void set_quote(arguments& given, std::string_view value) {
  rows(given).quote = text::parse_byte(value);
}
std::vector<std::string_view> quoting_names() {
  return {"lax", "strict"};
}
void set_quoting(arguments& given, std::string_view value) {
  if (value != "lax" && value != "strict") throw no_such("rules", quoting_names());
  rows(given).quoting = value == "lax" ? quoting::lax : quoting::strict;
}
void set_skip_bom(arguments& given, std::string_view /*value*/) {
  rows(given).skip_bom = true;
}
void set_comment(arguments& given, std::string_view value) {
  rows(given).comment = text::parse_byte(value);
}
void set_skip_rows(arguments& given, std::string_view value) {
  rows(given).skip_rows = text::parse_number(value, 0, std::numeric_limits<std::uint64_t>::max());
}
void set_skip_blank(arguments& given, std::string_view /*value*/) {
  rows(given).skip_blank = true;
}

void require_different_bytes(const row_options& rows) {
  if (rows.field == rows.delimiter || rows.quote == rows.field || rows.quote == rows.delimiter) {
    throw text::usage_error("--field-delimiter, --quote and the end of a row must be three different bytes");
  }
  if (rows.comment &&
      (rows.comment == rows.field || rows.comment == rows.delimiter || rows.comment == rows.quote)) {
    throw text::usage_error(
        "--comment must be another byte than --field-delimiter, --quote and the end of a row");
  }
}

}  // namespace riffle::cli
