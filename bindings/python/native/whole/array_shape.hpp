/// Offers what the buffer protocol asks of an array of one dimension.
#pragma once

#include <nanobind/nanobind.h>

namespace riffle::python {

/// Describes an array. Buffers point into the object, so it lives as long as the array.
struct array_shape {
  const char* format;    ///< of an element, as the module `struct` writes it
  Py_ssize_t item_size;  ///< in bytes
  Py_ssize_t count;

  /// Fills `view` with the elements at `data`, which `owner` holds. Returns -1 with a Python exception set if
  /// `flags` ask for what such an array is not.
  int fill(Py_buffer* view, PyObject* owner, void* data, bool read_only, int flags) noexcept {
    if (PyBuffer_FillInfo(view, owner, data, count * item_size, read_only ? 1 : 0, flags) != 0) return -1;
    view->itemsize = item_size;
    if ((flags & PyBUF_FORMAT) != 0) view->format = const_cast<char*>(format);
    if ((flags & PyBUF_ND) != 0) view->shape = &count;
    if ((flags & PyBUF_STRIDES) == PyBUF_STRIDES) view->strides = &item_size;
    return 0;
  }
};

}  // namespace riffle::python
