/// Reads the keywords that say what rows are.
#include "bindings/python/native/records/row_arguments.hpp"

#include "bindings/python/native/errors.hpp"

namespace nb = nanobind;

namespace riffle::python {

std::string bytes_of(const byte_object& given) {
  const auto bytes = PyBytes_Check(given.ptr()) != 0
                         ? nb::borrow<nb::bytes>(given)
                         : nb::steal<nb::bytes>(PyUnicode_AsEncodedString(given.ptr(), "utf-8", "replace"));
  if (!bytes.is_valid()) throw nb::python_error();
  return {bytes.c_str(), bytes.size()};
}

char byte_of(const byte_object& given, const char* keyword) {
  const std::string bytes = bytes_of(given);
  if (bytes.size() != 1) raise(PyExc_ValueError, std::string(keyword) + " must be one byte");
  return bytes.front();
}

dialect rows_of(const row_keywords& given) {
  dialect rows{.separator = byte_of(given.field, "field"),
               .quote = std::nullopt,
               .quoting = given.strict ? quoting::strict : quoting::lax,
               .strip_cr = given.strip_cr,
               .skip_rows = given.skip_rows,
               .skip_blank = false,
               .header = given.header};
  if (given.quote) rows.quote = byte_of(*given.quote, "quote");
  if (given.comment) rows.comment = byte_of(*given.comment, "comment");
  if (given.max_length) rows.max_length = *given.max_length;
  return rows;
}

}  // namespace riffle::python
