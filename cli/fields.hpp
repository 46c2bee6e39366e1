/// The options of the commands that look at fields: which fields, and what separates them.
#ifndef RIFFLE_CLI_FIELDS_HPP
#define RIFFLE_CLI_FIELDS_HPP

#include <riffle/options.hpp>

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "cli/reading.hpp"

namespace riffle::cli {

/// Some fields, by their numbers: 1 is the first.
struct field_range {
  std::size_t first;
  std::size_t last;  // open_end: up to the last of the row
};
inline constexpr std::size_t open_end = ~std::size_t{0};

/// The fields of a list such as "3,1", "2-4" or "5-". Throws text::usage_error.
std::vector<field_range> parse_fields(std::string_view list);
/// The number of one field. Throws text::usage_error.
std::size_t parse_field(std::string_view number);

/// What the options of fields were given, besides those of reading.
struct field_arguments : reading_arguments {
  row_options rows{.field = '\t', .skip_bom = false};
};

// The setters of the options below. `given` must be field_arguments.
void set_field_delimiter(arguments& given, std::string_view value);
void set_quote(arguments& given, std::string_view value);
std::vector<std::string_view> quoting_names();
void set_quoting(arguments& given, std::string_view value);
void set_skip_bom(arguments& given, std::string_view value);
void set_comment(arguments& given, std::string_view value);
void set_skip_rows(arguments& given, std::string_view value);
void set_skip_blank(arguments& given, std::string_view value);
/// Throws text::usage_error if two of the bytes are the same.
void require_different_bytes(const row_options& rows);

/// The options that mean something only with the option `needs`.
constexpr std::array<option, 7> field_options(const char* needs) {
  return {
      option{.name = "field-delimiter",
             .value = takes::argument,
             .argument = "BYTE",
             .help = "Byte that ends a field",
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
             .needs = "quote",
             .set = set_quoting},
      option{.name = "skip-bom",
             .help = "Skip a byte order mark (BOM) at the start of a file, as is done with quotes",
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
