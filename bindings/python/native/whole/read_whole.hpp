/// Offers the frame of a function that reads a whole input: its keywords, the GIL, the threads and the
/// signals.
#pragma once

#include <nanobind/nanobind.h>
#include <riffle/input.hpp>
#include <riffle/options.hpp>
#include <riffle/parallel.hpp>

#include <istream>
#include <string>
#include <string_view>
#include <variant>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/python_input.hpp"
#include "bindings/python/native/reading.hpp"
#include "bindings/python/native/signals.hpp"

namespace riffle::python {

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
  auto result = f(source.get(), reading.decode_threads, signals.in(reading, source.waited()));
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
