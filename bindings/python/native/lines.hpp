/// Offers the Python class Lines, for the functions that return one.
#ifndef RIFFLE_PYTHON_LINES_HPP
#define RIFFLE_PYTHON_LINES_HPP

#include <nanobind/nanobind.h>
#include <riffle/lines.hpp>

#include "bindings/python/native/python_input.hpp"

namespace riffle::python {

/// The iterator `riffle_io.Lines`.
class python_lines {
 public:
  /// Opens the input. Throws as `riffle::lines` does.
  python_lines(python_input input, const line_options& options, const read_options& reading);

  /// Returns a new reference to the next line, or nullptr: at the end, or with an exception set.
  [[gnu::always_inline]] PyObject* next() noexcept {
    if (reading_ || !lines_.advance_in_block(at_)) {
      if (!next_block()) return nullptr;
    }
    return PyBytes_FromStringAndSize(at_.record.data(), static_cast<Py_ssize_t>(at_.record.size()));
  }

 private:
  bool next_block() noexcept;

  python_input input_;
  line_range lines_;
  line_range::cursor at_;
  bool reading_ = false;  // whether a thread is in next_block, without the GIL
};

}  // namespace riffle::python

#endif
