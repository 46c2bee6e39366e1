/// Defines riffle_io.rows and its iterator, and reads the keywords that say what rows are.
#include "bindings/python/native/records/row_arguments.hpp"

#include <riffle/error.hpp>
#include <riffle/rows.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/interpreter.hpp"
#include "bindings/python/native/python_input.hpp"
#include "bindings/python/native/records/makers.hpp"
#include "bindings/python/native/records/record_iterator.hpp"
#include "text/row_values.hpp"

namespace nb = nanobind;

namespace riffle::python {

namespace {

dialect dialect_named(std::string_view name) {
  if (name == "csv") return csv;
  if (name == "tsv") return tsv;
  if (name == "plain") return plain;
  if (name == "whitespace") return whitespace;
  refuse("dialect must be 'csv', 'tsv', 'plain' or 'whitespace'", name);
}

quoting quoting_named(const quoting_object& given) {
  if (PyLong_Check(given.ptr()) != 0) {
    raise(PyExc_TypeError,
          "quoting takes none of csv's constants: pass quote=None for csv.QUOTE_NONE, and nothing for the "
          "others, "
          "which read alike");
  }
  const auto name = nb::cast<std::string>(given);
  if (name == "lax") return quoting::lax;
  if (name == "strict") return quoting::strict;
  refuse("quoting must be 'lax' or 'strict'", name);
}

ragged ragged_named(std::string_view name) {
  if (name == "keep") return ragged::keep;
  if (name == "fail") return ragged::fail;
  if (name == "pad") return ragged::pad;
  refuse("ragged must be 'keep', 'fail' or 'pad'", name);
}

struct row_options : dialect {
  bool skips_bad = false;
};

// Goes through the rows that `bad_rows` does not skip.
class usable_rows : public row_range {
 public:
  using cursor = text::bad_rows::cursor;

  usable_rows(const input& from, const row_options& rows, const read_options& reading)
      : row_range(from, rows, reading), bad_(rows.skips_bad) {}

  [[gnu::always_inline]] bool advance(cursor& at) {
    return bad_.advance(at, [](const row& /*usable*/) {});
  }
  [[gnu::always_inline]] bool advance_in_block(cursor& at) {
    const auto step = [](cursor& to) { return detail::steps::advance_in_block<row_range>(to); };
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

std::string bytes_of(nb::handle given) {
  const auto bytes = PyBytes_Check(given.ptr()) != 0
                         ? nb::borrow<nb::bytes>(given)
                         : nb::steal<nb::bytes>(PyUnicode_AsEncodedString(given.ptr(), "utf-8", "replace"));
  if (!bytes.is_valid()) throw nb::python_error();
  return {bytes.c_str(), bytes.size()};
}

char byte_of(nb::handle given, const char* keyword) {
  const std::string bytes = bytes_of(given);
  if (bytes.size() != 1) {
    raise(PyExc_ValueError, std::string(keyword) + " must be one byte, not " + nb::repr(given).c_str() +
                                (bytes.empty() ? "" : "; other arguments have keywords: encoding=\"utf-8\""));
  }
  return bytes.front();
}

dialect dialect_of(const row_keywords& given, bool named) {
  dialect rows = dialect_named(given.dialect);
  if (given.separator && rows.whitespace) {
    raise(PyExc_ValueError, "dialect='whitespace' has no separator: leave it out");
  }
  if (given.separator) rows.separator = byte_of(*given.separator, "separator");
  if (given.delimiter) rows.delimiter = byte_of(*given.delimiter, "delimiter");
  if (given.quote.is_none()) {
    rows.quote = std::nullopt;
  } else if (given.quote.ptr() != Py_Ellipsis) {
    rows.quote = byte_of(given.quote, "quote");
  }
  if (given.quoting) {
    if (!rows.quote && PyLong_Check(given.quoting->ptr()) == 0) {
      raise(PyExc_ValueError, "quoting needs a quote");
    }
    rows.quoting = quoting_named(*given.quoting);
  }
  rows.double_quote = given.double_quote.value_or(rows.double_quote);
  if (given.escape) rows.escape = byte_of(*given.escape, "escape");
  rows.skip_initial_space = given.skip_initial_space.value_or(rows.skip_initial_space);
  rows.strip_cr = given.strip_cr.value_or(rows.strip_cr);
  rows.skip_bom = given.skip_bom.value_or(rows.skip_bom);
  rows.skip_rows = given.skip_rows.value_or(rows.skip_rows);
  if (given.comment) rows.comment = byte_of(*given.comment, "comment");
  rows.skip_blank = given.skip_blank.value_or(rows.skip_blank);
  if (given.ragged) rows.ragged = ragged_named(*given.ragged);
  rows.trim = given.trim.value_or(rows.trim);
  rows.header = given.header.value_or(named);
  if (named && !rows.header) raise(PyExc_ValueError, "a name of a column needs a header: not header=False");
  rows.max_length = given.max_length.value_or(rows.max_length);
  return rows;
}

void set_null(dialect& rows, const std::vector<byte_object>& null, bool quoted_null) {
  for (const byte_object& text : null) rows.null.push_back(bytes_of(text));
  rows.quoted_null = quoted_null;
}

bool skips_bad_rows(std::string_view given) {
  if (given != "fail" && given != "skip") refuse("bad_rows must be 'fail' or 'skip'", given);
  return given == "skip";
}

python_input input_of_rows(nb::handle source, method method, dialect& rows) {
  python_input input(source, method, {.delimiter = rows.delimiter});
  if (input.starts_inside()) {
    if (rows.header) {
      raise(PyExc_ValueError, "the header of a URL is in its first split: name the columns by their indices");
    }
    if (rows.ragged != ragged::keep) {
      raise(PyExc_ValueError, "the first row of a URL is in its first split: leave ragged as it is");
    }
    rows.skip_bom = false;
    rows.skip_rows = 0;
  }
  return input;
}

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
