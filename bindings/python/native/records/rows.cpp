/// Defines riffle_io.rows and its iterator.
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>
#include <riffle/error.hpp>
#include <riffle/rows.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/python/native/parts.hpp"
#include "bindings/python/native/reading.hpp"
#include "bindings/python/native/records/field_maker.hpp"
#include "bindings/python/native/records/record_iterator.hpp"
#include "bindings/python/native/records/row_arguments.hpp"
#include "text/bad_rows.hpp"

namespace nb = nanobind;

namespace riffle::python {

namespace {

struct row_options : dialect {
  bool skips_bad = false;
};

// Goes through the rows that `bad_rows` does not skip.
class usable_rows : public row_range {
 public:
  usable_rows(const input& from, const row_options& rows, const read_options& reading)
      : row_range(from, rows, reading), bad_(rows.skips_bad) {}

  [[gnu::always_inline]] bool advance(cursor& at) {
    return bad_.advance(at, [](const row& /*usable*/) {});
  }
  [[gnu::always_inline]] bool advance_in_block(cursor& at) {
    const auto step = [](cursor& to) { return row_range::advance_in_block(to); };
    return bad_.advance(at, step, [](const row& /*usable*/) {});
  }
  /// Warns of the rows that were skipped, once.
  void warn_of_skipped() {
    try {
      std::exchange(bad_, bad_.of_split()).fail_if_any(from().name());
    } catch (const error& skipped) {
      warn(skipped);
    }
  }

 private:
  text::bad_rows bad_;
};

struct opened_rows : opened_records<usable_rows> {
  using opened_records::opened_records;

  static constexpr const char* unit = "line";
  static std::uint64_t place_of(const row& record) noexcept { return record.line(); }
  static constexpr bool counts_to_end = true;

  bool open_next() {
    range->warn_of_skipped();
    return opened_records::open_next();
  }
};

using field_names = std::vector<std::string>;

class any_row_maker {
 public:
  /// `names` are those of the columns, in the bytes of the input; none: the header, if there is one, has
  /// them.
  any_row_maker(std::unique_ptr<row_maker> chosen, decoder decode, std::optional<field_names> names) noexcept
      : chosen_(std::move(chosen)),
        field_(std::move(decode)),
        own_names_(names.has_value()),
        names_(std::move(names)) {}

  bool start(const opened_rows& opened, const row& /*first*/) {
    take_names(*opened.range);
    chosen_->start(*opened.range);
    return false;
  }
  static bool runs_code() noexcept { return true; }  // a garbage collection, when it makes a list
  PyObject* operator()(const row& from) { return chosen_->make(from); }

  bool has_names() const noexcept { return names_.has_value(); }
  void take_names(const row_range& rows) {
    if (!own_names_ && !rows.names().empty()) names_ = rows.names();
  }
  nb::object names() {
    if (!names_) return nb::none();
    nb::list made;
    const field_names names = *names_;  // a codec may run any code meanwhile
    for (const std::string& each : names) made.append(nb::steal(field_(each)));
    return made;
  }

 private:
  std::unique_ptr<row_maker> chosen_;
  field_maker field_;
  bool own_names_;
  std::optional<field_names> names_;
};

class python_rows : public record_iterator<opened_rows, any_row_maker> {
 public:
  using record_iterator::record_iterator;

  nb::object names() {
    if (!maker().has_names())
      look_ahead([this](const opened_rows& opened) { maker().take_names(*opened.range); });
    return maker().names();
  }
};

using wanted_columns = std::vector<tuple_maker::column>;

// The index of each column that the caller, and no header, names.
void find_among(const field_names& names, wanted_columns& columns) {
  for (tuple_maker::column& each : columns) {
    const auto* const name = std::get_if<std::string>(&each);
    if (name == nullptr) continue;
    const auto found = std::ranges::find(names, *name);
    if (found == names.end()) raise(PyExc_ValueError, "no column '" + *name + "' is among the fieldnames");
    each = static_cast<std::size_t>(found - names.begin());
  }
}

std::unique_ptr<row_maker> maker_of(const decoder& decode, const dialect& rows,
                                    std::optional<wanted_columns> columns,
                                    const std::optional<field_names>& names) {
  if (!columns && names) return std::make_unique<dict_maker>(decode, names);
  if (!columns && rows.header) return std::make_unique<dict_maker>(decode);
  if (!columns) return std::make_unique<list_maker>(decode);
  for (tuple_maker::column& each : *columns) {
    if (auto* const name = std::get_if<std::string>(&each)) *name = decode.encode(std::move(*name));
  }
  return std::make_unique<tuple_maker>(*std::move(columns), decode);
}

python_rows* rows(const reading_options& reading, const sources_object& sources, const row_keywords& given,
                  std::optional<wanted_columns> columns, std::optional<field_names> names,
                  const std::optional<std::string>& encoding, const std::string& errors,
                  std::string_view bad_rows) {
  const auto is_name = [](const tuple_maker::column& each) {
    return std::holds_alternative<std::string>(each);
  };
  row_options how{dialect_of(given, !names && columns && std::ranges::any_of(*columns, is_name)),
                  skips_bad_rows(bad_rows)};
  how.count_lines = true;
  if (how.skips_bad && how.ragged != ragged::fail) {
    raise(PyExc_ValueError,
          "bad_rows='skip' finds no bad row here; add ragged='fail' to skip those with too few or too many "
          "fields");
  }
  const char quote = how.quote.value_or(how.separator);
  const decoder text = decoder_of(
      encoding, errors, std::string{how.delimiter, how.separator, quote, how.escape.value_or(quote)});
  if (names) {
    if (columns) find_among(*names, *columns);
    for (std::string& each : *names) each = text.encode(std::move(each));
  }
  std::unique_ptr<row_maker> chosen = maker_of(text, how, std::move(columns), names);
  any_row_maker make(std::move(chosen), text, std::move(names));
  const auto input_of = [text](nb::handle source, dialect& rows, const read_options& with) {
    return input_of_rows(text.source_of(source, with), with.method, rows);
  };
  return new python_rows({sources_of(sources), how, reading, input_of}, std::move(make));
}

constexpr const char* about_rows =
    R"(Returns an iterator over the rows of CSV: a list of bytes for each, or of str if encoding is set.

columns lists those to give, in a tuple for each row: names, which the first row gives, or indices from 0. With
header=True and without columns, the first row names them, and each other one is a dict, as csv.DictReader gives
it: None for a field that is missing, and the list of what is too much for the key None. By default there is a
header if a column has a name. fieldnames names the columns in the place of a header.

dialect is "csv", "tsv" (a tab separates fields, and quotes are bytes), "plain" (a comma separates fields; each
byte counts) or "whitespace" (runs of spaces and tabs separate fields, as for awk). A keyword of your own replaces what the dialect says: separator is the byte between fields, delimiter
the one that ends a row. quote is the byte around a field that may hold both, None for none: the field comes
without its quotes, and with one quote for two. quoting="strict" raises for a quote in the wrong place, which is
"lax" else. double_quote=False takes no quote for two: the first closes. escape is the byte before one that is taken
as it is. skip_initial_space skips spaces before a field. strip_cr drops one CR at the end of a row. skip_bom skips a byte order mark, skip_blank empty rows,
skip_rows so many rows at the start, and comment is the byte that starts a row to skip. ragged says what becomes of
a row with more or fewer fields than the header, or than the first row: "keep" takes it as it is, "fail" raises, after
which the next step goes on, and "pad" adds empty fields. trim drops spaces and tabs around names, and around fields
that do not start with a quote. max_length is the longest row accepted, in bytes. bad_rows="skip" goes on after the
rows that ragged="fail" refuses, and the end of a source warns of them: a UserWarning says how many there were, and
the numbers of the first five.

encoding and errors mean what they mean to open(). source, method, block_size, decode and max_size are those of
riffle_io.lines.

Raises RiffleError, an OSError, with the offset: for a quote that is not closed, for a row over max_length or
without one of the columns, and if the source cannot be opened or read. The rows before a failure were right.)";

}  // namespace

void register_rows(nb::module_& module) {
  define_iterator<python_rows>(module, "Rows", "class Rows(Generic[Row])",
                               "Iterates over the rows of an input, once. riffle_io.rows makes it.")
      .def_prop_ro(
          "fieldnames", &python_rows::names, nb::sig("def fieldnames(self) -> list[Any] | None"),
          "The names of the columns: those of fieldnames, or of the header of the source read last.\n\n"
          "None without both. It reads the header if no row was read, and raises as a step does.")
      .def_prop_ro(
          "line_num", [](python_rows& self) { return self.place().value_or(0); },
          "How many lines of the source read last the rows handed out so far took; at the end, all.\n\n"
          "As csv.reader.line_num: lines inside quotes, of the header and of skipped rows count.\n"
          "0 before the first row.");
  define_rows(module, "rows", rows, about_rows, nb::arg("columns") = nb::none(), nb::kw_only(),
              nb::arg("fieldnames") = nb::none(), nb::arg("encoding") = nb::none(),
              nb::arg("errors") = "strict", nb::arg("bad_rows") = "fail");
}

}  // namespace riffle::python
