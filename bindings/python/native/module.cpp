/// Defines the extension module riffle_io._riffle, and kernels, by which a build shows the SIMD instructions
/// that it uses.
#include <riffle/kernels.hpp>
#include <riffle/version.hpp>

#include "bindings/python/native/parts.hpp"

namespace nb = nanobind;

namespace {

nb::list kernels() {
  nb::list result;
  for (const riffle::kernel_info& kernel : riffle::kernels()) {
    result.append(nb::str(kernel.name.data(), kernel.name.size()));
  }
  return result;
}

}  // namespace

NB_MODULE(_riffle_parts, module) {
  using namespace riffle::python;
  nb::set_leak_warnings(false);  // the interpreter does not free what a traceback or a global holds at exit
  module.attr("__version__") = nb::str(riffle::version().data(), riffle::version().size());
  module.def("kernels", kernels,
             "Returns the names of the SIMD kernels that this processor can run, best first.\n\n"
             "riffle_io uses the first one, unless the environment variable RIFFLE_KERNEL names another one "
             "when riffle_io first needs a kernel. Raises RiffleError if that variable names none of them.");
  for (part* const add : {register_errors, register_lines, register_rows, register_words, register_counts,
                          register_line_index, register_values, register_columns, register_splits,
                          register_raw_bytes, register_arrow}) {  // which adds to the class Lines
    add(module);
  }
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
