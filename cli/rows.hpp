/// The options of the commands that look at fields: which fields, how rows are cut into them, and the first
/// header.
#pragma once

#include <riffle/options.hpp>
#include <riffle/rows.hpp>

#include <array>
#include <cstddef>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/reading.hpp"
#include "text/typed.hpp"

namespace riffle::cli {

/// What messages call a column of a header, by its number from 0.
std::string column_in(const std::vector<std::string>& header, std::size_t index);
/// Says that the column has another name in the first file that has a header, and what helps.
std::string why_other_header(const std::vector<std::string>& header, std::size_t index,
                             const std::vector<std::string>& first, const std::string& first_file,
                             const char* option);

/// Some fields, by their numbers: 1 is the first. Or one field, by the name of its column.
struct field_range {
  std::size_t first;
  std::size_t last;  // open_end: up to the last of the row
  std::optional<std::string> name = {};
};
inline constexpr std::size_t open_end = ~std::size_t{0};

/// The fields of a list such as "3,1", "2-4", "5-", "price" or "name:3", which is cut as a row of CSV: what
/// stands in quotes is a name. Throws text::usage_error.
std::vector<field_range> parse_columns(std::string_view list);
/// The same, each field by itself: at most 1000 for a range, which must have an end. Throws
/// text::usage_error.
std::vector<field_range> parse_each_column(std::string_view list);
/// One field, as it stands in such a list, but its name may have a comma. Throws text::usage_error.
field_range parse_column(std::string_view column);
/// The fields that are not in a list of numbers, in the order of a row.
std::vector<field_range> complement_of(std::vector<field_range> fields);
/// The same fields by their numbers. Reads the header of `rows` if there are names. Throws `riffle::error`.
std::vector<field_range> numbered(std::vector<field_range> fields, const row_range& rows,
                                  const dialect& options);

/// The indices of single fields. Reads the header and throws as `numbered`.
std::vector<std::size_t> indices_of(std::span<const field_range> fields, const row_range& rows,
                                    const dialect& options);

/// What the options of fields were given, besides those of reading.
struct field_arguments : reading_arguments {
  dialect rows = csv;
  const dialect* named_dialect = nullptr;  // by --csv, --tsv, --plain or --whitespace
  // These count whichever of those stands before or behind them.
  std::optional<char> separator = {};
  std::optional<char> quote = {};
  bool skip_bad_rows = false;
  /// Whether a row may hold the byte that ends rows.
  bool has_quotes() const { return rows.quote || quote; }
  bool any_header = false;  // fields that are numbers may have other names in other files
};
/// Fills `rows` with what the options mean together: if one of `fields` is a name, there is a header. Throws
/// text::usage_error if two of the bytes are the same, or if no row can be bad for a command that asks for no
/// values.
void resolve(field_arguments& given, std::span<const field_range> fields, bool asks_for_values = false);

/// Cuts rows as `wanted` does, and leaves what other options say.
void use_dialect(dialect& rows, const dialect& wanted);
/// The setter of --csv, --tsv, --plain and --whitespace. Throws text::usage_error if another one is named.
template <const auto& wanted>
void set_dialect(arguments& given, std::string_view /*typed*/) {
  auto& fields = static_cast<field_arguments&>(given);
  if (fields.named_dialect != nullptr && fields.named_dialect != &wanted)
    throw text::usage_error("use only one of --csv, --tsv, --plain, --whitespace");
  fields.named_dialect = &wanted;
  use_dialect(fields.rows, wanted);
}
/// The setter of --max-length.
void set_max_length(arguments& given, std::string_view value);
std::vector<std::string_view> quoting_names();
/// The rules of that name. Throws text::usage_error.
quoting parse_quoting(std::string_view name);
std::vector<std::string_view> ragged_names();
ragged parse_ragged(std::string_view name);
std::vector<std::string_view> bad_rows_names();
bool parse_bad_rows(std::string_view name);

/// The heading of these options in the help.
inline constexpr const char* rows_group = "Rows and fields";

/// The options that mean something only with one of the options `needs`. `dialects_need` is the same for
/// those that name a dialect; null if they mean something alone.
constexpr std::array<option, 12> field_options(const char* needs, const char* dialects_need) {
  return {
      option{.name = "csv",
             .help = "Rows are those of CSV: commas, quotes, perhaps a CR at the end; empty rows are "
                     "skipped. This is the default",
             .needs = dialects_need,
             .set = set_dialect<csv>},
      option{.name = "tsv",
             .help = "Rows are those of TSV: as CSV, but with tabs, and a quote is a byte as any other",
             .needs = dialects_need,
             .set = set_dialect<tsv>},
      option{.name = "plain",
             .help = "Cut at the bytes of --separator and of the end of a row, and nothing else: quotes, CRs "
                     "and empty rows stay",
             .needs = dialects_need,
             .set = set_dialect<plain>},
      option{.name = "whitespace",
             .help = "Runs of spaces and tabs stand between fields, and those at both ends of a row are "
                     "ignored, as for awk; no quotes; rows of blanks are skipped",
             .needs = dialects_need,
             .set = set_dialect<whitespace>},
      option{.name = "header",
             .help = "The first row holds the names of the columns, as it does if a column is named",
             .needs = needs,
             .set = set_to<true, &field_arguments::rows, &dialect::header>},
      option{.name = "separator",
             .short_form = 'd',
             .argument = "BYTE",
             .help = "Byte between the fields of a row; with --tsv, a tab unless given",
             .preset = ",",
             .needs = needs,
             .set = set_by<text::parse_byte, &field_arguments::separator>},
      option{.name = "quote",
             .argument = "BYTE",
             .help = "Byte around fields that may hold separators, newlines and the byte itself doubled; "
                     "with --tsv and --plain, none unless given",
             .preset = "\"",
             .needs = needs,
             .set = set_by<text::parse_byte, &field_arguments::quote>},
      option{.name = "quoting",
             .argument = "RULES",
             .help = "Which quotes are wrong: none (lax), or those inside a field and before the end of one "
                     "(strict)",
             .preset = "lax",
             .words = quoting_names,
             .needs = needs,
             .set = set_by<parse_quoting, &field_arguments::rows, &dialect::quoting>},
      option{.name = "comment",
             .argument = "BYTE",
             .help = "Skip rows that start with this byte",
             .needs = needs,
             .set = set_by<text::parse_byte, &field_arguments::rows, &dialect::comment>},
      option{
          .name = "skip-rows",
          .argument = "N",
          .help = "Skip the first N rows of each file",
          .needs = needs,
          .set = set_by<text::number_within<0, text::any_size>, &field_arguments::rows, &dialect::skip_rows>},
      option{.name = "ragged",
             .argument = "RULE",
             .help = "Rows with fewer or more fields than the header or the first row: take them as they are "
                     "(keep), fail, or add empty fields (pad)",
             .preset = "keep",
             .words = ragged_names,
             .needs = needs,
             .set = set_by<parse_ragged, &field_arguments::rows, &dialect::ragged>},
      option{.name = "bad-rows",
             .argument = "RULE",
             .help = "Rows that cannot be used: fail at the first, or skip them, report their numbers at the "
                     "end and exit with 1",
             .preset = "fail",
             .words = bad_rows_names,
             .needs = needs,
             .set = set_by<parse_bad_rows, &field_arguments::skip_bad_rows>}};
}
constexpr std::array<option, 12> field_options(const char* needs) {
  return field_options(needs, needs);
}

/// The option of the commands that take no other records.
constexpr std::array<option, 1> length_options(const char* needs) {
  return {option{.name = "max-length",
                 .argument = "SIZE",
                 .help = "Fail at a longer row, which bounds the memory",
                 .needs = needs,
                 .set = set_max_length}};
}
/// The option of the commands that look at the text of fields.
constexpr std::array<option, 1> trim_options(const char* needs) {
  return {
      option{.name = "trim",
             .help = "Drop spaces and tabs around names, and around fields that do not start with a quote",
             .needs = needs,
             .set = set_to<true, &field_arguments::rows, &dialect::trim>}};
}
/// The option of the commands that take columns by their numbers from several files.
constexpr std::array<option, 1> header_options(const char* needs) {
  return {option{.name = "any-header",
                 .help = "Take columns by their numbers although the headers of the files differ",
                 .needs = needs,
                 .set = set_to<true, &field_arguments::any_header>}};
}

/// A column that is a number must have one name in all files, or it may be another column.
class first_header {
 public:
  /// `columns` must outlive it; the last ones are those of the `conditions` of --where. Messages say that
  /// riffle cannot `verb` a file, and that one names the `option`.
  first_header(const field_arguments& given, std::span<const field_range> columns, std::size_t conditions,
               const char* verb, const char* option)
      : any_header_(given.any_header),
        columns_(columns),
        own_(columns.size() - conditions),
        verb_(verb),
        option_(option) {}

  /// Returns whether the columns have the names that they have in the first file that has a header; else
  /// complains, and clears the `problem` of the file. `header` is empty for a file without one. Throws
  /// `output_lost`.
  bool is_that_of(const std::string& file, const std::vector<std::string>& header,
                  std::exception_ptr& problem);
  bool differs() const { return differs_; }

 private:
  bool any_header_;
  std::span<const field_range> columns_;
  std::size_t own_;  // those before the conditions
  const char* verb_;
  const char* option_;
  std::string file_ = {};  // the first with a header
  std::vector<std::string> header_ = {};
  bool differs_ = false;
};

}  // namespace riffle::cli
