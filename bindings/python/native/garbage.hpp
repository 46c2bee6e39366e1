/// Offers the slots by which Python's garbage collector finds and breaks cycles of references.
#pragma once

#include <nanobind/nanobind.h>

namespace riffle::python {

/// Is the slot `tp_traverse` of the class of `T`, whose `visit` visits the Python objects that it holds.
template <class T>
int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  return nanobind::inst_ready(self) ? nanobind::inst_ptr<T>(self)->visit(visit, arg) : 0;
}

/// Is the slot `tp_clear` of the class of `T`, whose `give_up` gives them up.
template <class T>
int clear(PyObject* self) {
  if (nanobind::inst_ready(self)) nanobind::inst_ptr<T>(self)->give_up();
  return 0;
}

}  // namespace riffle::python
