/// Offers the keywords that say what rows are, for every function that reads some.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <riffle/dialect.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/python/native/python_input.hpp"

namespace riffle::python {

/// One byte as Python code writes it.
class byte_object : public nanobind::object {
  static bool accepts(PyObject* value) { return PyBytes_Check(value) != 0 || PyUnicode_Check(value) != 0; }
  NB_OBJECT(byte_object, nanobind::object, "bytes | str", accepts)
};

/// The quote as Python code writes it: one byte, None for none, `...` for that of the dialect.
class quote_object : public nanobind::object {
  static bool accepts(PyObject* value) {
    return PyBytes_Check(value) != 0 || PyUnicode_Check(value) != 0 || value == Py_None ||
           value == Py_Ellipsis;
  }
  NB_OBJECT(quote_object, nanobind::object, "bytes | str", accepts)
};

/// The rules of quoting. A number may be one of the constants of the module csv, which are refused by name.
class quoting_object : public nanobind::object {
  static bool accepts(PyObject* value) { return PyUnicode_Check(value) != 0 || PyLong_Check(value) != 0; }
  NB_OBJECT(quoting_object, nanobind::object, "str", accepts)
};

/// Returns the bytes of such an object, those of a str in UTF-8.
std::string bytes_of(nanobind::handle given);
/// Returns the byte of a keyword: of bytes of length 1, or of a str of one character of ASCII. Raises
/// `ValueError` for others.
char byte_of(nanobind::handle given, const char* keyword);

/// The keywords as Python passes them. The dialect says what is not given.
struct row_keywords {
  std::string_view dialect;
  std::optional<byte_object> separator;
  std::optional<byte_object> delimiter;
  quote_object quote;
  std::optional<quoting_object> quoting;
  std::optional<bool> double_quote;
  std::optional<byte_object> escape;
  std::optional<bool> skip_initial_space;
  std::optional<bool> strip_cr;
  std::optional<bool> skip_bom;
  std::optional<std::uint64_t> skip_rows;
  std::optional<byte_object> comment;
  std::optional<bool> skip_blank;
  std::optional<std::string_view> ragged;
  std::optional<bool> trim;
  std::optional<bool> header;
  std::optional<std::size_t> max_length;
};

/// Returns the dialect of the keywords. If columns are `named`, there is a header. Raises `ValueError` if a
/// keyword has no such value.
dialect dialect_of(const row_keywords& given, bool named = false);

/// Says which texts are null, by the keywords `null` and `quoted_null`.
void set_null(dialect& rows, const std::vector<byte_object>& null, bool quoted_null);

/// Returns what the keyword `bad_rows` says. Raises `ValueError` if it has no such value.
bool skips_bad_rows(std::string_view given);

/// Returns the input of a source of rows. If it is a split of a URL that is not the first, it changes `rows`,
/// because the first one has what `skip_bom` and `skip_rows` skip. Raises `ValueError` if it lacks the
/// header.
python_input input_of_rows(nanobind::handle source, method method, dialect& rows);

/// Defines a function of the module that reads rows. `names` are its own arguments, which come between the
/// source and the keywords.
template <class Result, class Source, class... Own, class... Names>
void define_rows(nanobind::module_& module, const char* name,
                 Result (*function)(const reading_options&, const Source&, const row_keywords&, Own...),
                 const char* text, const Names&... names) {
  using nanobind::arg;
  const auto none = nanobind::none();
  define_reading(
      module, name, for_records,
      std::function([function](const reading_options& reading, const Source& source, Own... own,
                               std::string_view dialect, std::optional<byte_object> separator,
                               std::optional<byte_object> delimiter, quote_object quote,
                               std::optional<quoting_object> quoting, std::optional<bool> double_quote,
                               std::optional<byte_object> escape, std::optional<bool> skip_initial_space,
                               std::optional<bool> strip_cr, std::optional<bool> skip_bom,
                               std::optional<std::uint64_t> skip_rows, std::optional<byte_object> comment,
                               std::optional<bool> skip_blank, std::optional<std::string_view> ragged,
                               std::optional<bool> trim, std::optional<bool> header,
                               std::optional<std::size_t> max_length) {
        return function(
            reading, source,
            {dialect, separator, delimiter, quote, quoting, double_quote, escape, skip_initial_space,
             strip_cr, skip_bom, skip_rows, comment, skip_blank, ragged, trim, header, max_length},
            std::forward<Own>(own)...);
      }),
      text, names..., arg("dialect") = "csv", arg("separator") = none, arg("delimiter") = none,
      arg("quote").none() = nanobind::ellipsis(), arg("quoting") = none, arg("double_quote") = none,
      arg("escape") = none, arg("skip_initial_space") = none, arg("strip_cr") = none, arg("skip_bom") = none,
      arg("skip_rows") = none, arg("comment") = none, arg("skip_blank") = none, arg("ragged") = none,
      arg("trim") = none, arg("header") = none, arg("max_length") = none);
}

}  // namespace riffle::python
