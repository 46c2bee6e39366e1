/// Defines the extension module riffle_io._riffle.
#include <riffle/version.hpp>

#include "bindings/python/native/parts.hpp"

NB_MODULE(_riffle_parts, module) {
  using namespace riffle::python;
  nanobind::set_leak_warnings(
      false);  // the interpreter does not free what a traceback or a global holds at exit
  module.attr("__version__") = nanobind::str(riffle::version().data(), riffle::version().size());
  register_errors(module);
  register_lines(module);
  register_rows(module);
  register_words(module);
  register_kernels(module);
  register_counts(module);
  register_line_index(module);
  register_values(module);
  register_arrow(module);  // adds to the class Lines
  register_columns(module);
  register_splits(module);
}

// The parts keep objects of one interpreter: those of a second one would take their place.
extern "C" NB_EXPORT PyObject* PyInit__riffle();
extern "C" NB_EXPORT PyObject* PyInit__riffle() {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
    PyErr_SetString(PyExc_ImportError,
                    "riffle_io does not support subinterpreters: import it in the main interpreter");
    return nullptr;
  }
  return PyInit__riffle_parts();
}
