/// Defines riffle_io.rows and riffle_io.fields, and their iterator.
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>
#include <riffle/rows.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bindings/python/native/parts.hpp"
#include "bindings/python/native/reading.hpp"
#include "bindings/python/native/records/field_maker.hpp"
#include "bindings/python/native/records/record_iterator.hpp"
#include "bindings/python/native/records/row_arguments.hpp"

namespace nb = nanobind;

namespace riffle::python {

namespace {

class any_row_maker {
 public:
  explicit any_row_maker(std::unique_ptr<row_maker> chosen) noexcept : chosen_(std::move(chosen)) {}

  bool start(const opened_records<row_range>& opened, const row& /*first*/) {
    chosen_->start(*opened.range);
    return false;
  }
  static bool runs_code() noexcept { return true; }  // a garbage collection, when it makes a list
  PyObject* operator()(const row& from) { return chosen_->make(from); }

 private:
  std::unique_ptr<row_maker> chosen_;
};

using python_rows = record_iterator<opened_records<row_range>, any_row_maker>;

// `make` sets what is left of the options, and returns what makes the object of a row.
template <auto make, class... Own>
python_rows* read(const read_options& reading, const source_object& source, Own... own,
                  const byte_object& field, const std::optional<byte_object>& quote, bool header,
                  const std::optional<std::string>& encoding, const std::string& errors, bool strict,
                  bool strip_cr, const std::optional<byte_object>& comment, std::uint64_t skip_rows,
                  std::optional<std::size_t> max_length) {
  dialect options = rows_of({field, quote, header, strict, strip_cr, comment, skip_rows, max_length});
  const std::string delimiters{options.delimiter, options.separator,
                               options.quote.value_or(options.separator)};
  const decoder text = decoder_of(encoding, errors, delimiters);
  std::unique_ptr<row_maker> maker = make(text, options, std::move(own)...);
  options.skip_blank = options.header;
  return new python_rows({python_input(text.source_of(source, reading), reading.method), options, reading},
                         any_row_maker(std::move(maker)));
}

std::unique_ptr<row_maker> maker_of_rows(decoder decode, const dialect& options) {
  if (options.header) return std::make_unique<dict_maker>(std::move(decode));
  return std::make_unique<list_maker>(std::move(decode));
}

std::unique_ptr<row_maker> maker_of_fields(decoder decode, dialect& options,
                                           std::vector<tuple_maker::column> columns) {
  for (tuple_maker::column& each : columns) {
    auto* const name = std::get_if<std::string>(&each);
    if (name == nullptr) continue;
    *name = decode.encode(std::move(*name));
    options.header = true;
  }
  return std::make_unique<tuple_maker>(std::move(columns), std::move(decode));
}

constexpr const char* about_rows =
    R"(Returns an iterator over the rows of CSV: a list of bytes for each, or of str if encoding is set.

field is the byte between fields, and quote the one around a field that may hold newlines and other such bytes;
None: quotes are bytes. A field comes without its quotes, and with one quote for two. Rows are those of the
module csv, but an empty line is a row with one empty field. With header=True, the first row names the columns,
and each other one is a dict, as csv.DictReader gives it: None for a field that is missing, and the list of
what is too much for the key None. Empty lines are skipped then.

strict=True raises for a quote in the wrong place. strip_cr drops one CR at the end of a row. Lines that start
with the byte comment, and the first skip_rows lines, are skipped, and so is a byte order mark. max_length is
the longest row accepted, in bytes. encoding and errors mean what they mean to open(). source, method,
block_size, decode and max_size are those of riffle_io.lines.

Raises RiffleError, an OSError, with the offset: for a quote that is not closed, for a row over max_length, and
if the source cannot be opened or read. The rows before a failure were right.)";

constexpr const char* about_fields =
    R"(Returns an iterator over some fields of each row: a tuple of bytes, or of str if encoding is set.

columns lists them: indices from 0, or names, which the first row gives. header=True skips that row also if
there are indices alone. By default quotes are bytes. The other keywords are those of riffle_io.rows.

Raises RiffleError with the offset of a row that lacks such a field, and as riffle_io.rows does.)";

template <class Function, class... Names>
void define_rows(nb::module_& module, const char* name, Function function, const char* text,
                 const char* quote, const Names&... names) {
  define_reading(
      module, name, function, text, names..., nb::arg("field") = ",", nb::kw_only(),
      nb::arg("quote").none() = quote == nullptr ? nb::object(nb::none()) : nb::object(nb::str(quote)),
      nb::arg("header") = false, nb::arg("encoding") = nb::none(), nb::arg("errors") = "strict",
      nb::arg("strict") = false, nb::arg("strip_cr") = true, nb::arg("comment") = nb::none(),
      nb::arg("skip_rows") = 0, nb::arg("max_length") = nb::none());
}

}  // namespace

void register_rows(nb::module_& module) {
  define_iterator<python_rows>(
      module, "Rows", "class Rows(Generic[Row])",
      "Iterates over the rows of an input, once. riffle_io.rows and riffle_io.fields make it.");
  define_rows(module, "rows", read<maker_of_rows>, about_rows, "\"");
  define_rows(module, "fields", read<maker_of_fields, std::vector<tuple_maker::column>>, about_fields,
              nullptr, nb::arg("columns"));
}

}  // namespace riffle::python
