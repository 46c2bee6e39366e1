/// Reads the names of types of numbers, by one table.
#include "bindings/python/native/whole/element_type.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "bindings/python/native/errors.hpp"

namespace nb = nanobind;

namespace riffle::python {

namespace {

struct named_type {
  std::string_view name;
  std::string_view code;  // after a byte order
  std::size_t size;
  const char* format;
  std::optional<detail::element> kind;
};

using enum detail::element;

static_assert(sizeof(long) == 8, "numpy's 64-bit integers are 'l' and 'L' where a long has 64 bits");
constexpr std::array<named_type, 12> types{{{"int8", "i1", 1, "b", i8},
                                            {"uint8", "u1", 1, "B", u8},
                                            {"int16", "i2", 2, "h", i16},
                                            {"uint16", "u2", 2, "H", u16},
                                            {"int32", "i4", 4, "i", i32},
                                            {"uint32", "u4", 4, "I", u32},
                                            {"int64", "i8", 8, "l", i64},
                                            {"uint64", "u8", 8, "L", u64},
                                            {"float16", "f2", 2, "e", std::nullopt},
                                            {"float32", "f4", 4, "f", f32},
                                            {"float64", "f8", 8, "d", f64},
                                            {"bool", "b1", 1, "?", std::nullopt}}};

// The name of a type: a string, the member `str` of a numpy.dtype, or the name of a class of numpy.
std::string name_of(nb::handle dtype) {
  for (const char* member : {"str", "__name__"}) {
    if (PyUnicode_Check(dtype.ptr())) break;
    const nb::object name = nb::getattr(dtype, member, nb::none());
    if (PyUnicode_Check(name.ptr())) return std::string(utf8_of(nb::str(name)));
  }
  if (PyUnicode_Check(dtype.ptr())) return std::string(utf8_of(nb::borrow<nb::str>(dtype)));
  raise(PyExc_TypeError,
        std::string("dtype must be str or a dtype of numpy, not ") + nb::type_name(dtype.type()).c_str());
}

std::endian order_of(nb::handle order, char prefix) {
  const std::endian named = prefix == '<'   ? std::endian::little
                            : prefix == '>' ? std::endian::big
                                            : std::endian::native;
  if (order.is_none()) return named;
  const std::string name(utf8_of(nb::str(order)));
  if (name != "little" && name != "big") {
    raise(PyExc_ValueError, "order must be 'little', 'big' or None, not '" + name + "'");
  }
  const std::endian asked = name == "big" ? std::endian::big : std::endian::little;
  if ((prefix == '<' || prefix == '>') && named != asked) {
    raise(PyExc_ValueError, "order and dtype name different byte orders");
  }
  return asked;
}

}  // namespace

element_type element_type_of(nb::handle dtype, nb::handle order) {
  const std::string name = name_of(dtype);
  const std::size_t prefix = std::string_view(name).find_first_not_of("<>=|");
  const std::string_view code = std::string_view(name).substr(prefix == 1 ? 1 : 0);
  for (const named_type& type : types) {
    if (code == type.name || code == type.code || (type.format == std::string_view("?") && code == "?")) {
      return {type.kind, type.size, type.format, order_of(order, prefix == 1 ? name.front() : '=')};
    }
  }
  raise(PyExc_ValueError, "unknown dtype '" + name +
                              "': give int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, "
                              "float32, float64 or bool; numpy.frombuffer reads structs of uint8");
}

}  // namespace riffle::python
