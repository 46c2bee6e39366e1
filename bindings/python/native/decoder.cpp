/// Decodes records as `open` decodes lines.
#include "bindings/python/native/decoder.hpp"

#include <nanobind/stl/string.h>

#include <utility>

namespace nb = nanobind;

namespace riffle::python {

decoder::decoder(const std::string& encoding, std::string errors, char delimiter)
    : encoding_(nb::cast<std::string>(
          nb::module_::import_("riffle_io._text")
              .attr("codec_name")(nb::str(encoding.data(), encoding.size()), nb::bytes(&delimiter, 1)))),
      errors_(std::move(errors)) {
  with_mark_ = encoding_ == "utf-8-sig";
  utf8_ = with_mark_ || encoding_ == "utf-8";
}

PyObject* decoder::operator()(std::string_view record) noexcept {
  if (std::exchange(drops_mark_, false) && record.starts_with(mark)) record.remove_prefix(mark.size());
  const auto size = static_cast<Py_ssize_t>(record.size());
  if (utf8_) return PyUnicode_DecodeUTF8(record.data(), size, errors_.c_str());
  // A codec written in Python may let another thread read on meanwhile, over these bytes: it gets a copy.
  const nb::object copy = nb::steal(PyBytes_FromStringAndSize(record.data(), size));
  if (!copy.is_valid()) return nullptr;
  return PyUnicode_FromEncodedObject(copy.ptr(), encoding_.c_str(), errors_.c_str());
}

}  // namespace riffle::python
