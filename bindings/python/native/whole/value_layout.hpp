/// Offers how the values of an input lie in its bytes: numbers, or structs as NumPy describes them.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace riffle::python {

/// The layout of a value.
struct value_layout {
  struct swapped {
    std::size_t offset;
    std::size_t size;
  };

  std::size_t size = 0;             // in bytes
  std::string format = {};          // for the buffer protocol, in the byte order of this machine
  std::vector<swapped> swaps = {};  // the numbers whose bytes lie in reverse

  /// Copies values, each in the byte order of this machine.
  void copy(std::string_view from, char* to) const noexcept;
};

/// Returns the layout that `dtype` names: what `element_type_of` takes, a structured dtype of NumPy, or the
/// list of its fields, as numpy.dtype takes it. Raises `ValueError` or `TypeError` for others.
value_layout value_layout_of(nanobind::handle dtype, nanobind::handle order);

}  // namespace riffle::python
