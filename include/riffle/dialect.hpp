/// Offers the dialects of rows: CSV, TSV and the like.
#pragma once

#include <riffle/export.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace riffle::inline v0 {

/// Names the rules for the quotes of rows, if `dialect::quote` is set. By both, a quote opens as the
/// first byte of a field, and two quotes inside quotes stand for one. An input that ends inside quotes is
/// `errc::bad_quoting`.
enum class quoting : std::uint8_t {
  /// A quote elsewhere is a byte of its field, and so are the bytes after a closing quote: `5'8"` is itself,
  /// and `"a"b` is `ab`. Python's csv, DuckDB and spreadsheets read CSV so.
  lax,
  /// As in RFC 4180: a quote elsewhere is `errc::bad_quoting`, and so is a byte after a closing quote, but
  /// for one CR at the end of a row.
  strict
};

/// Names what becomes of a row that has more or fewer fields than the header, or than the first row if there
/// is no header.
enum class ragged : std::uint8_t {
  /// It is handed out as it is.
  keep,
  /// The step to it throws `riffle::error` (`errc::wrong_field_count`), and the next step goes on after it.
  fail,
  /// Fields that are missing are empty ones. A row with more fields is handed out as it is.
  pad
};

/// Says how rows are cut into fields, and how riffle hands them out. What is not set is as in CSV files. Use
/// designated initialisers: `{.separator = ';'}`, `{.header = true}`. No two of its bytes may be the same.
struct dialect {
  /// The byte between the fields of a row.
  char separator = ',';
  /// Runs of spaces and tabs stand between the fields, and `separator` is not looked for. Those at both ends
  /// of a row belong to no field, as in awk. A row without a field is blank. `quote` must not be set.
  bool whitespace = false;
  /// The byte that ends a row.
  char delimiter = '\n';
  /// The byte around fields that may hold separators and delimiters, and the byte itself doubled (RFC 4180).
  /// `std::nullopt`: a quote is a byte as any other.
  std::optional<char> quote = '"';
  /// Which quotes stand in the right place.
  riffle::quoting quoting = riffle::quoting::lax;
  /// Two quotes inside quotes stand for one. false: the first closes, and the bytes up to the next separator
  /// belong to the field.
  bool double_quote = true;
  /// The byte before one that is taken as it is, inside quotes and outside: a quote, a separator, a delimiter
  /// or this byte again. `std::nullopt`: none.
  std::optional<char> escape = std::nullopt;
  /// Skip spaces before a field, after which a quote may open.
  bool skip_initial_space = false;
  /// Drop one '\r' at the end of the last field of a row.
  bool strip_cr = true;
  /// Skip a byte order mark (BOM) of UTF-8 at the start of the input. Offsets stay those of the input.
  bool skip_bom = true;
  /// Skip so many rows at the start of the input. Quotes in them are bytes.
  std::uint64_t skip_rows = 0;
  /// Skip rows that start with this byte. Quotes in them are bytes.
  std::optional<char> comment = std::nullopt;
  /// Skip rows without a byte, or with a '\r' alone; with `whitespace`, also rows of blanks. A row of one
  /// empty field is written `""`. If such a row is handed out, it has one empty field.
  bool skip_blank = true;
  /// What becomes of rows with too few or too many fields.
  riffle::ragged ragged = riffle::ragged::keep;
  /// Drop spaces and tabs around each name, and around each field that does not start with a quote, if you
  /// ask for its value: `row::unescaped`, `row::get`. A quote after a blank is a byte of its field.
  bool trim = false;
  /// Texts that stand for no value, such as `{"NA", "null"}`: `row::is_null` is true for them, and a
  /// `std::optional` is `std::nullopt`, as it is for an empty field.
  std::vector<std::string> null = {};
  /// Quotes change nothing: `"NA"` is `NA`, and `""` is empty. false: a field in quotes is always a value, as
  /// in CSV of PostgreSQL's COPY. So `""` is an empty text, and no number.
  bool quoted_null = true;
  /// The first row holds the names of the columns. It is not handed out: `row_range::column` finds a name.
  /// `riffle::columns` sets it.
  bool header = false;
  /// Count the lines of the input, for `row::line`: about 5 % more time for `riffle::rows`.
  bool count_lines = false;
  /// The longest row accepted, in bytes without its delimiter. A longer one is `errc::record_too_long`.
  /// Without a limit, a long row takes memory of its length, and 12 bytes for each field.
  std::size_t max_length = std::numeric_limits<std::size_t>::max();
};

/// CSV files: commas, quotes, perhaps a '\r' at the end of a row. It is the default wherever rows are cut.
inline constexpr dialect csv{};
/// TSV files: as `csv`, but with tabs, and without quotes.
inline constexpr dialect tsv{.separator = '\t', .quote = std::nullopt};
/// Cuts at `separator` and `delimiter`, and does nothing else but skip a byte order mark: a quote and a '\r'
/// are bytes as any other, and an empty row is one of one empty field.
inline constexpr dialect plain{.quote = std::nullopt, .strip_cr = false, .skip_blank = false};

/// Is the type of `riffle::whitespace`, by which `riffle::fields` knows it.
struct whitespace_dialect : dialect {};
/// Columns aligned by blanks, as `ls`, `du` and `ps` print them: runs of spaces and tabs stand between
/// fields, and those at both ends of a row are ignored. No quotes; one '\r' at the end of a row is dropped.
inline constexpr whitespace_dialect whitespace{{.separator = ' ', .whitespace = true, .quote = std::nullopt}};

namespace detail {

/// Returns why the options of a dialect contradict each other, as a text; an empty text if they do not.
constexpr std::string_view same_bytes_in(const dialect& of) noexcept {
  if (of.whitespace) {
    const auto is_blank = [](char byte) { return byte == ' ' || byte == '\t'; };
    if (of.quote) return "fields between white space have no quotes";
    if (of.escape || of.skip_initial_space) return "fields between white space are cut by no other rules";
    if (is_blank(of.delimiter)) return "the delimiter is white space, which separates fields";
    if (of.comment && is_blank(*of.comment))
      return "the start of comments is white space, which separates fields";
    return of.comment == of.delimiter ? "the start of comments and the delimiter are the same byte"
                                      : std::string_view();
  }
  if (of.separator == of.delimiter) return "the separator and the delimiter are the same byte";
  if (of.quote == of.separator) return "the quote and the separator are the same byte";
  if (of.quote == of.delimiter) return "the quote and the delimiter are the same byte";
  if (!of.quote && !of.double_quote) return "there is no quote that could be doubled";
  if (of.escape && of.escape == of.separator) return "the escape and the separator are the same byte";
  if (of.escape && of.escape == of.delimiter) return "the escape and the delimiter are the same byte";
  if (of.escape && of.escape == of.quote) return "the escape and the quote are the same byte";
  if (of.skip_initial_space && of.separator == ' ') return "the separator is the space that is skipped";
  if (!of.comment) return {};
  if (of.comment == of.escape) return "the start of comments and the escape are the same byte";
  if (of.comment == of.separator) return "the start of comments and the separator are the same byte";
  if (of.comment == of.delimiter) return "the start of comments and the delimiter are the same byte";
  if (of.comment == of.quote) return "the start of comments and the quote are the same byte";
  return {};
}

}  // namespace detail

}  // namespace riffle::inline v0
