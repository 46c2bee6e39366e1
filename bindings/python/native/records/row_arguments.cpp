/// Reads the keywords that say what rows are.
#include "bindings/python/native/records/row_arguments.hpp"

#include "bindings/python/native/errors.hpp"

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

}  // namespace riffle::python
