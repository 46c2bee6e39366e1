/// Defines the extension module riffle_io._riffle, and what a build says of itself: its SIMD kernels and its
/// decoders.
#include <riffle/kernels.hpp>
#include <riffle/methods.hpp>
#include <riffle/version.hpp>

#include <array>
#include <cstddef>

#include "bindings/python/native/interpreter.hpp"

namespace nb = nanobind;

namespace {

nb::list kernels() {
  nb::list result;
  for (const riffle::kernel_info& kernel : riffle::kernels()) {
    result.append(nb::str(kernel.name.data(), kernel.name.size()));
  }
  return result;
}

nb::dict decoders() {
  nb::dict result;
  for (const riffle::decoder_info& each : riffle::decoders()) {
    if (!each.unavailable.empty()) continue;
    result[nb::str(each.name.data(), each.name.size())] = nb::str(each.library.data(), each.library.size());
  }
  return result;
}

// The parts keep objects of one interpreter: those of a second one would take their place.
bool refuses_interpreter() {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0) return false;
  PyErr_SetString(PyExc_ImportError,
                  "riffle_io does not support subinterpreters: import it in the main interpreter");
  return true;
}

int require_main_interpreter(PyObject* /*module*/) {
  return refuses_interpreter() ? -1 : 0;
}

// CPython 3.13 and newer call PyInit in the main interpreter alone. So the first step of an import asks
// again, before nanobind changes what all share.
void refuse_others_first(PyModuleDef& definition) {
  static std::array<PyModuleDef_Slot, 16> slots = {
      {{Py_mod_exec, reinterpret_cast<void*>(require_main_interpreter)}}};
  if (definition.m_slots == nullptr || definition.m_slots == slots.data()) return;
  for (std::size_t i = 0; definition.m_slots[i].slot != 0 && i + 2 < slots.size(); ++i) {
    slots[i + 1] = definition.m_slots[i];
  }
  definition.m_slots = slots.data();
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
  module.def("decoders", decoders,
             "Returns the formats that riffle_io decodes, as the keyword decode takes them, each with what "
             "decodes it.");
  for (part* const add :
       {register_errors, register_lines, register_rows, register_words, register_sequences, register_counts,
        register_line_index, register_values, register_columns, register_splits, register_raw_bytes,
        register_value_counts, register_arrow}) {  // which adds to the class Lines
    add(module);
  }
}

extern "C" NB_EXPORT PyObject* PyInit__riffle();
extern "C" NB_EXPORT PyObject* PyInit__riffle() {
  if (refuses_interpreter()) return nullptr;
  PyObject* const made = PyInit__riffle_parts();
  if (made != nullptr && PyObject_TypeCheck(made, &PyModuleDef_Type) != 0) {
    refuse_others_first(*reinterpret_cast<PyModuleDef*>(made));
  }
  return made;
}
