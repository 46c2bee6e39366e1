/// Offers the frame of a function that reads a whole input, the types of its numbers, and the shape of its
/// array.
#pragma once

#include <riffle/input.hpp>
#include <riffle/options.hpp>
#include <riffle/parallel.hpp>
#include <riffle/sum.hpp>

#include <nanobind/nanobind.h>

#include <bit>
#include <cstddef>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/interpreter.hpp"
#include "bindings/python/native/python_input.hpp"

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

/// Returns the docstring of such a function: what `text` says, and what its keywords and errors are.
inline std::string documented(std::string_view text) {
  return std::string(text) + R"(

source is a path, a descriptor, a binary file object, bytes-like or a riffle_io.Split. threads is the
number of threads that read it, and that decode it, 0 for as many as the process may run; one thread reads
a pipe or a file object. method, block_size, decode and max_size say how riffle reads: see
riffle_io.lines.

The GIL is released meanwhile. Ctrl-C ends the call.

Raises RiffleError, an OSError, if the source cannot be opened or read.)";
}

/// Returns the number of threads that read an input. Raises `ValueError` for one that makes no sense. One
/// thread reads a file object or a pipe: of several, only the main thread of Python could be interrupted.
inline unsigned threads_for(const python_input& source, int threads) {
  if (threads < 0) raise(PyExc_ValueError, "threads must be 0 or more");
  const bool waits = source.waited() >= 0 || std::holds_alternative<std::istream*>(source.get().where());
  return waits ? 1U : thread_count(static_cast<unsigned>(threads));
}

/// Returns `f(input, threads, reading)`, which it calls without the GIL.
///
/// Raises as `threads_for` does, what `f` throws, and what a signal handler raises.
template <class F>
auto read_whole(const python_input& source, int threads, reading_options reading, F f) {
  reading.decode_threads = threads_for(source, threads);
  signal_checks signals;
  const gil_released released;
  auto result = f(source.get(), reading.decode_threads, signals.in(reading, source));
  signals.at_end();
  return result;
}

/// Defines such a function, whose last argument is `threads`. `names` are its own arguments before it.
template <class Result, class Source, class... Own, class... Names>
void define_whole(nanobind::module_& module, const char* name, const char* decoded,
                  Result (*function)(const reading_options&, const Source&, Own...), std::string_view text,
                  const Names&... names) {
  define_reading(module, name, decoded, std::function(function), documented(text).c_str(), names...,
                 nanobind::arg("threads") = 1);
}

}  // namespace riffle::python
