/// Releases and takes the GIL for a call, in a way that survives the end of the interpreter.
///
/// If the interpreter exits meanwhile, Python ends a daemon thread where it asks for the GIL, by unwinding
/// its stack. A destructor that asks, or a `catch (...)` that keeps, would then end the process. So neither
/// is used here, and a caller is not `noexcept`.
#ifndef RIFFLE_PYTHON_GIL_HPP
#define RIFFLE_PYTHON_GIL_HPP

#include <cxxabi.h>
#include <nanobind/nanobind.h>

#include <exception>

namespace riffle::python {

/// Calls `f`. Returns the exception that it threw, if any.
template <class F>
std::exception_ptr failure_of(F f) {
  try {
    f();
  } catch (abi::__forced_unwind&) {
    throw;
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

/// Calls `f` without the GIL. Returns the exception that it threw, if any.
template <class F>
std::exception_ptr without_gil(F f) {
  PyThreadState* const state = PyEval_SaveThread();
  const std::exception_ptr failure = failure_of(f);
  PyEval_RestoreThread(state);
  return failure;
}

/// Calls `f` with the GIL, in any thread. Returns the exception that it threw, if any.
template <class F>
std::exception_ptr with_gil(F f) {
  const PyGILState_STATE state = PyGILState_Ensure();
  const std::exception_ptr failure = failure_of(f);
  PyGILState_Release(state);
  return failure;
}

}  // namespace riffle::python

#endif
