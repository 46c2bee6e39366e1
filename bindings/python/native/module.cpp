/// Defines the extension module riffle_io._riffle, what its functions are to Python, and what a build says of
/// itself: its SIMD kernels and its decoders.
#include <riffle/kernels.hpp>
#include <riffle/methods.hpp>
#include <riffle/version.hpp>

#include <array>
#include <cstddef>
#include <utility>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/interpreter.hpp"

namespace nb = nanobind;

namespace riffle::python {

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

// A function or a method of the module with what Python's own have: the functions of nanobind lack a
// signature and annotations, and their type cannot be changed. A call runs no code of Python, unless it
// fails.
class function {
 public:
  explicit function(nb::object native) : native_(std::move(native)) {}

  // Returns a function of Python that has the same parameters and returns them by name.
  const nb::object& pattern() {
    if (!pattern_.is_valid()) pattern_ = imported("riffle_io._public").attr("pattern_of")(native_);
    return pattern_;
  }
  PyObject* operator()(PyObject* arguments, PyObject* keywords) {
    PyObject* const made = PyObject_Call(native_.ptr(), arguments, keywords);
    if (made == nullptr && PyErr_ExceptionMatches(PyExc_TypeError) != 0) [[unlikely]]
      explain(arguments, keywords == nullptr ? Py_None : keywords);
    return made;
  }

  int visit(visitproc visit, void* arg) const {
    Py_VISIT(native_.ptr());
    Py_VISIT(pattern_.ptr());
    return 0;
  }
  void give_up() { pattern_.reset(); }

 private:
  // Lets the exception name the argument of the wrong type.
  void explain(nb::handle arguments, nb::handle keywords) {
    const nb::python_error raised;
    const nb::object made =
        imported("riffle_io._public").attr("explained")(raised.value(), pattern(), arguments, keywords);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
  }

  nb::object native_;
  nb::object pattern_;  // none until it is asked for
};

template <class F>
PyObject* in_function(PyObject* self, F f) noexcept {
  if (!nb::inst_ready(self)) return refuse_new(nullptr, nullptr, nullptr);
  return guarded([&] { return f(*nb::inst_ptr<function>(self)); });
}

PyObject* call(PyObject* self, PyObject* arguments, PyObject* keywords) noexcept {
  return in_function(self, [&](function& of) { return of(arguments, keywords); });
}
PyObject* repr(PyObject* self) noexcept {
  return in_function(self, [](function& of) { return PyObject_Repr(of.pattern().ptr()); });
}
PyObject* attribute(PyObject* self, void* name) noexcept {
  return in_function(self, [&](function& of) {
    return nb::getattr(of.pattern(), static_cast<const char*>(name)).release().ptr();
  });
}
PyObject* bound(PyObject* self, PyObject* instance, PyObject* /*type*/) noexcept {
  if (instance == nullptr) return Py_NewRef(self);
  return guarded([&] {
    return imported("types").attr("MethodType")(nb::handle(self), nb::handle(instance)).release().ptr();
  });
}

PyGetSetDef attribute_named(const char* name) {
  return {name, attribute, nullptr, nullptr, const_cast<char*>(name)};
}

void register_function(nb::module_& module) {
  static PyGetSetDef attributes[] = {
      attribute_named("__name__"),        attribute_named("__qualname__"), attribute_named("__doc__"),
      attribute_named("__code__"),        attribute_named("__defaults__"), attribute_named("__kwdefaults__"),
      attribute_named("__annotations__"), attribute_named("__globals__"),  {}};
  static PyType_Slot slots[] = {{Py_tp_call, reinterpret_cast<void*>(call)},
                                {Py_tp_repr, reinterpret_cast<void*>(repr)},
                                {Py_tp_descr_get, reinterpret_cast<void*>(bound)},
                                {Py_tp_getset, attributes},
                                {Py_tp_traverse, reinterpret_cast<void*>(traverse<function>)},
                                {Py_tp_clear, reinterpret_cast<void*>(clear<function>)},
                                {0, nullptr}};
  nb::class_<function>(module, "_Function", nb::type_slots(slots), nb::is_weak_referenceable())
      .def(nb::init<nb::object>())
      .def("__reduce__", [](nb::handle self) { return self.attr("__qualname__"); });
}

// The parts keep objects of one interpreter: those of a second one would take their place.
bool refuses_interpreter() {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0) return false;
  PyErr_SetString(PyExc_ImportError,
                  "riffle_io does not support subinterpreters: import it in the main interpreter");
  return true;
}

// nanobind ends the process if a class gets the functions that publish() replaced in it.
int require_first_load(PyObject* /*module*/) {
  static bool loaded = false;
  if (refuses_interpreter()) return -1;
  if (!std::exchange(loaded, true)) return 0;
  PyErr_SetString(PyExc_ImportError, "cannot load riffle_io twice in one process: keep it in sys.modules");
  return -1;
}

// CPython 3.13 and newer call PyInit in the main interpreter alone. So the first step of an import asks
// again, before nanobind changes what all share.
void refuse_others_first(PyModuleDef& definition) {
  static std::array<PyModuleDef_Slot, 16> slots = {
      {{Py_mod_exec, reinterpret_cast<void*>(require_first_load)}}};
  if (definition.m_slots == nullptr || definition.m_slots == slots.data()) return;
  for (std::size_t i = 0; definition.m_slots[i].slot != 0 && i + 2 < slots.size(); ++i) {
    slots[i + 1] = definition.m_slots[i];
  }
  definition.m_slots = slots.data();
}

}  // namespace

}  // namespace riffle::python

NB_MODULE(_riffle_parts, module) {
  using namespace riffle::python;
  register_function(module);
  nb::set_leak_warnings(false);  // the interpreter does not free what a traceback or a global holds at exit
  module.attr("__version__") = nb::str(riffle::version().data(), riffle::version().size());
  module.def("kernels", kernels, nb::sig("def kernels() -> list[str]"),
             "Returns the names of the SIMD kernels that this processor can run, best first.\n\n"
             "riffle_io uses the first one, unless the environment variable RIFFLE_KERNEL names another one "
             "when riffle_io first needs a kernel. Raises RiffleError if that variable names none of them.");
  module.def("decoders", decoders, nb::sig("def decoders() -> dict[str, str]"),
             "Returns the formats that riffle_io decodes, as the keyword decode takes them, each with what "
             "decodes it.");
  for (part* const add : {register_errors, register_records, register_rows, register_counts, register_totals,
                          register_line_index, register_values, register_columns, register_splits,
                          register_raw_bytes, register_arrow}) {  // the last adds to Lines
    add(module);
  }
}

extern "C" NB_EXPORT PyObject* PyInit__riffle();
extern "C" NB_EXPORT PyObject* PyInit__riffle() {
  using namespace riffle::python;
  if (refuses_interpreter()) return nullptr;
  PyObject* const made = PyInit__riffle_parts();
  if (made != nullptr && PyObject_TypeCheck(made, &PyModuleDef_Type) != 0) {
    refuse_others_first(*reinterpret_cast<PyModuleDef*>(made));
  }
  return made;
}
