/// Offers the type of numbers that Python names by a string, by `numpy.dtype` or by a class of numpy.
#pragma once

#include <nanobind/nanobind.h>
#include <riffle/sum.hpp>

#include <bit>
#include <cstddef>
#include <optional>

namespace riffle::python {

/// The type and the byte order of the numbers of an input.
struct element_type {
  std::optional<detail::element> kind;  ///< of what can be summed
  std::size_t size;                     ///< of a number in bytes
  const char* format;                   ///< of the module `struct`, for the native sizes of this machine
  std::endian order;
};

/// Returns the type that `dtype` names: "int8" to "uint64", "float16" to "float64", "bool", also as "<u4" or
/// ">f8", or an object of numpy. `order` is "little", "big", or None: as `dtype` says. Raises
/// `ValueError` or `TypeError` for others.
element_type element_type_of(nanobind::handle dtype, nanobind::handle order);

}  // namespace riffle::python
