/// The options of the commands that look at fields: which fields, and how rows are cut into them.
#ifndef RIFFLE_CLI_FIELDS_HPP
#define RIFFLE_CLI_FIELDS_HPP

#include <riffle/options.hpp>
#include <riffle/rows.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/reading.hpp"

namespace riffle::cli {

/// Some fields, by their numbers: 1 is the first. Or one field, by the name of its column.
struct field_range {
  std::size_t first;
  std::size_t last;  // open_end: up to the last of the row
  std::optional<std::string> name = {};
};
inline constexpr std::size_t open_end = ~std::size_t{0};

/// The fields of a list such as "3,1", "2-4", "5-", "price" or "name:3". Throws text::usage_error.
std::vector<field_range> parse_fields(std::string_view list);
/// One field, as it stands in such a list, but its name may have a comma. Throws text::usage_error.
field_range parse_field(std::string_view field);
/// The same fields by their numbers. Reads the header of `rows` if there are names. Throws `riffle::error`.
std::vector<field_range> numbered(std::vector<field_range> fields, const row_range& rows,
                                  const dialect& options);

/// What the options of fields were given, besides those of reading.
struct field_arguments : reading_arguments {
  dialect rows{.skip_bom = false};
  std::optional<char> field_delimiter = {};
  bool csv = false;
};
/// Fills `rows` with what the options mean together. Throws text::usage_error if two of the bytes are the
/// same, or if one of `fields` is a name and there is no header.
void resolve(field_arguments& given, std::span<const field_range> fields);

// The setters of the options below. `given` must be field_arguments.
void set_field_delimiter(arguments& given, std::string_view value);
void set_quote(arguments& given, std::string_view value);
void set_csv(arguments& given, std::string_view value);
void set_header(arguments& given, std::string_view value);
std::vector<std::string_view> quoting_names();
void set_quoting(arguments& given, std::string_view value);
void set_skip_bom(arguments& given, std::string_view value);
void set_comment(arguments& given, std::string_view value);
void set_skip_rows(arguments& given, std::string_view value);
void set_skip_blank(arguments& given, std::string_view value);

/// The options that mean something only with the option `needs`.
constexpr std::array<option, 9> field_options(const char* needs) {
  return {
      option{.name = "csv",
             .help = "Fields end in a comma, quotes are '\"', and the first row is a header",
             .needs = needs,
             .set = set_csv},
      option{.name = "header",
             .help = "The first row holds the names of the fields",
             .needs = needs,
             .set = set_header},
      option{.name = "field-delimiter",
             .value = takes::argument,
             .argument = "BYTE",
             .help = "Byte that ends a field; with --csv or --quote, a comma unless given",
             .preset = "\\t",
             .needs = needs,
             .set = set_field_delimiter},
      option{.name = "quote",
             .value = takes::argument,
             .argument = "BYTE",
             .help = "Byte around fields that may hold delimiters, newlines and the byte itself doubled",
             .needs = needs,
             .set = set_quote},
      option{.name = "quoting",
             .value = takes::argument,
             .argument = "RULES",
             .help = "Which quotes are wrong: none (lax), or those inside a field and before the end of one "
                     "(strict)",
             .preset = "lax",
             .words = quoting_names,
             .needs = needs,
             .set = set_quoting},
      option{
          .name = "skip-bom",
          .help = "Skip a byte order mark (BOM) at the start of a file, as is done with quotes or a header",
          .needs = needs,
          .set = set_skip_bom},
      option{.name = "comment",
             .value = takes::argument,
             .argument = "BYTE",
             .help = "Skip rows that start with this byte",
             .needs = needs,
             .set = set_comment},
      option{.name = "skip-rows",
             .value = takes::argument,
             .argument = "N",
             .help = "Skip the first N rows of each file",
             .needs = needs,
             .set = set_skip_rows},
      option{.name = "skip-blank", .help = "Skip empty rows", .needs = needs, .set = set_skip_blank}};
}

}  // namespace riffle::cli

#endif
