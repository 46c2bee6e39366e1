/// Reads the names of types of numbers, by one table.
#include "bindings/python/native/whole/element_type.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "bindings/python/native/errors.hpp"

namespace nb = nanobind;

namespace riffle::python {

namespace {

struct named_type {
  detail::element kind;
  std::string_view name;
  std::string_view code;  // behind a byte order
  std::size_t size;
  const char* format;
};

using enum detail::element;

static_assert(sizeof(long) == 8, "numpy's 64-bit integers are 'l' and 'L' where a long has 64 bits");
constexpr std::array<named_type, 10> types{{{i8, "int8", "i1", 1, "b"},
                                            {u8, "uint8", "u1", 1, "B"},
                                            {i16, "int16", "i2", 2, "h"},
                                            {u16, "uint16", "u2", 2, "H"},
                                            {i32, "int32", "i4", 4, "i"},
                                            {u32, "uint32", "u4", 4, "I"},
                                            {i64, "int64", "i8", 8, "l"},
                                            {u64, "uint64", "u8", 8, "L"},
                                            {f32, "float32", "f4", 4, "f"},
                                            {f64, "float64", "f8", 8, "d"}}};

const named_type& entry_of(detail::element kind) {
  return *std::ranges::find(types, kind, &named_type::kind);
}

// Throws if Python has no UTF-8 for it, as it has none for half a surrogate pair.
std::string utf8_of(const nb::str& text) {
  const char* const utf8 = text.c_str();
  if (utf8 == nullptr) throw nb::python_error();
  return utf8;
}

// The name of a type: a string, the member `str` of a numpy.dtype, or the name of a class of numpy.
std::string name_of(nb::handle dtype) {
  for (const char* member : {"str", "__name__"}) {
    if (PyUnicode_Check(dtype.ptr())) break;
    const nb::object name = nb::getattr(dtype, member, nb::none());
    if (PyUnicode_Check(name.ptr())) return utf8_of(nb::str(name));
  }
  if (PyUnicode_Check(dtype.ptr())) return utf8_of(nb::borrow<nb::str>(dtype));
  raise(PyExc_TypeError,
        std::string("dtype must be str or a dtype of numpy, not ") + nb::type_name(dtype.type()).c_str());
}

std::endian order_of(nb::handle byteorder, char prefix) {
  const std::endian named = prefix == '<'   ? std::endian::little
                            : prefix == '>' ? std::endian::big
                                            : std::endian::native;
  if (byteorder.is_none()) return named;
  const std::string order = utf8_of(nb::str(byteorder));
  if (order != "little" && order != "big") {
    raise(PyExc_ValueError, "byteorder must be 'little', 'big' or None, not '" + order + "'");
  }
  const std::endian asked = order == "big" ? std::endian::big : std::endian::little;
  if ((prefix == '<' || prefix == '>') && named != asked) {
    raise(PyExc_ValueError, "byteorder and dtype name different byte orders");
  }
  return asked;
}

}  // namespace

std::size_t element_type::size() const noexcept {
  return entry_of(kind).size;
}

const char* element_type::format() const noexcept {
  return entry_of(kind).format;
}

element_type element_type_of(nb::handle dtype, nb::handle byteorder) {
  const std::string name = name_of(dtype);
  const std::size_t prefix = std::string_view(name).find_first_not_of("<>=|");
  const std::string_view code = std::string_view(name).substr(prefix == 1 ? 1 : 0);
  for (const named_type& type : types) {
    if (code == type.name || code == type.code) {
      return {type.kind, order_of(byteorder, prefix == 1 ? name.front() : '=')};
    }
  }
  raise(PyExc_ValueError,
        "unknown dtype '" + name +
            "': give int8, int16, int32, int64, uint8, uint16, uint32, uint64, float32 or float64");
}

}  // namespace riffle::python
