/// Defines riffle_io.lines and its iterator, whose step is a slot of the type: a call of a method would cost
/// more.
#include "bindings/python/native/lines.hpp"

#include <nanobind/stl/string_view.h>

#include <string_view>
#include <utility>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/parts.hpp"

namespace nb = nanobind;

namespace riffle::python {

python_lines::python_lines(python_input input, const line_options& options, const read_options& reading)
    : input_(std::move(input)), lines_(input_.get(), options, reading), at_(lines_.resume()) {}

bool python_lines::next_block() noexcept {
  if (reading_) {
    PyErr_SetString(PyExc_ValueError, "another thread is reading these lines");
    return false;
  }
  reading_ = true;
  bool more = false;
  try {
    const nb::gil_scoped_release released;
    more = lines_.advance(at_);
  } catch (...) {
    set_python_error(std::current_exception());
  }
  reading_ = false;
  return more;
}

namespace {

PyObject* iterate(PyObject* self) {
  Py_INCREF(self);
  return self;
}

PyObject* next(PyObject* self) {
  return nb::inst_ptr<python_lines>(self)->next();
}

PyObject* refuse(PyTypeObject*, PyObject*, PyObject*) {
  PyErr_SetString(PyExc_TypeError, "cannot make a Lines: call riffle_io.lines");
  return nullptr;
}

PyType_Slot slots[] = {{Py_tp_iter, reinterpret_cast<void*>(iterate)},
                       {Py_tp_iternext, reinterpret_cast<void*>(next)},
                       {Py_tp_new, reinterpret_cast<void*>(refuse)},
                       {0, nullptr}};

line_options options_of(nb::bytes delimiter, bool keep) {
  if (delimiter.size() != 1) raise(PyExc_ValueError, "delimiter must be one byte");
  return {.delimiter = delimiter.c_str()[0], .keep_delimiter = keep};
}

python_lines* lines(nb::handle source, const nb::bytes& delimiter, bool keep, std::string_view method,
                    std::size_t block_size) {
  const line_options options = options_of(delimiter, keep);
  const read_options reading = reading_of(method, block_size);
  return new python_lines(python_input(source, reading.method), options, reading);
}

}  // namespace

void register_lines(nb::module_& module) {
  nb::class_<python_lines>(module, "Lines", nb::type_slots(slots),
                           "Iterates over the lines of an input, once.");
  module.def("lines", lines, nb::arg("source"), nb::arg("delimiter") = nb::bytes("\n", 1),
             nb::arg("keep") = false, nb::kw_only(), nb::arg("method") = "automatic",
             nb::arg("block_size") = 0, "Returns an iterator over the lines of an input.");
}

}  // namespace riffle::python
