/// Offers the type of numbers that Python names by a string, by `numpy.dtype` or by a class of numpy.
#ifndef RIFFLE_PYTHON_ELEMENT_TYPE_HPP
#define RIFFLE_PYTHON_ELEMENT_TYPE_HPP

#include <nanobind/nanobind.h>
#include <riffle/sum.hpp>

#include <bit>
#include <cstddef>

namespace riffle::python {

/// The type and the byte order of the numbers of an input.
struct element_type {
  detail::element kind;
  std::endian order;

  /// Returns the size of a number in bytes.
  std::size_t size() const noexcept;
  /// Returns the character of the module `struct` for the type in the order of this machine, as a string.
  const char* format() const noexcept;
};

/// Returns the type that `dtype` names: "int8" to "uint64", "float32", "float64", also as "<u4" or ">f8", or
/// an object of numpy. `byteorder` is "little", "big", or None: as `dtype` says. Raises `ValueError` or
/// `TypeError` for others.
element_type element_type_of(nanobind::handle dtype, nanobind::handle byteorder);

}  // namespace riffle::python

#endif
