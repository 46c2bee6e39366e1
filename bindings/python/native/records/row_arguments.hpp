/// Offers the keywords that say what rows are, for every function that reads some.
#ifndef RIFFLE_PYTHON_ROW_ARGUMENTS_HPP
#define RIFFLE_PYTHON_ROW_ARGUMENTS_HPP

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <riffle/options.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace riffle::python {

/// One byte as Python code writes it.
class byte_object : public nanobind::object {
  static bool accepts(PyObject* value) { return PyBytes_Check(value) != 0 || PyUnicode_Check(value) != 0; }
  NB_OBJECT(byte_object, nanobind::object, "bytes | str", accepts)
};

/// Returns the bytes of such an object, those of a str in UTF-8.
std::string bytes_of(const byte_object& given);
/// Returns the byte of a keyword: of bytes of length 1, or of a str of one character of ASCII. Raises
/// `ValueError` for others.
char byte_of(const byte_object& given, const char* keyword);

/// The keywords as Python passes them.
struct row_keywords {
  byte_object field;
  std::optional<byte_object> quote;
  bool header;
  bool strict;
  bool strip_cr;
  std::optional<byte_object> comment;
  std::uint64_t skip_rows;
  std::optional<std::size_t> max_length;
};

/// Returns the options of the keywords. Raises `ValueError` if one is no byte.
dialect rows_of(const row_keywords& given);

}  // namespace riffle::python

#endif
