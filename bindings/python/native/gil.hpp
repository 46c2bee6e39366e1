/// Releases and takes the GIL for a call, in a way that survives the end of the interpreter.
///
/// If the interpreter exits meanwhile, CPython before 3.14 ends a daemon thread where it asks for the GIL, by
/// unwinding its stack. A destructor there, or a `catch (...)` such as nanobind's around each function, would
/// then end the process. So such a thread waits here until the process has ended, as it does in CPython 3.14.
#pragma once

#include <cxxabi.h>
#include <nanobind/nanobind.h>
#include <unistd.h>

#include <exception>
#include <stdexcept>

namespace riffle::python {

#ifdef __GLIBC__
using end_of_thread = abi::__forced_unwind;
#else
struct end_of_thread {};  // musl does not unwind the stack of a thread that it ends
#endif

/// Calls `f`, and returns what it returns. If Python ends the thread there, it stays until the process has
/// ended.
template <class F>
auto staying(F f) {
  try {
    return f();
  } catch (end_of_thread&) {
    while (true) ::pause();
  }
}

/// Calls `f`. Returns the exception that it threw, if any.
template <class F>
std::exception_ptr failure_of(F f) {
  try {
    staying(f);
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

/// Releases the GIL while it exists.
class gil_released {
 public:
  gil_released() noexcept : state_(PyEval_SaveThread()) {}
  ~gil_released() {
    staying([this] { PyEval_RestoreThread(state_); });
  }
  gil_released(const gil_released&) = delete;
  gil_released& operator=(const gil_released&) = delete;

 private:
  PyThreadState* state_;
};

/// Calls `f` without the GIL. Throws what it throws.
template <class F>
void without_gil(F f) {
  std::exception_ptr failure;
  {
    const gil_released released;
    failure = failure_of(f);
  }
  if (failure != nullptr) std::rethrow_exception(failure);
}

/// Calls `f` with the GIL, in any thread. Returns the exception that it threw, if any, or one that says that
/// the interpreter has ended.
template <class F>
std::exception_ptr with_gil(F f) {
  if (Py_IsInitialized() == 0) {
    return std::make_exception_ptr(std::runtime_error("the Python interpreter has ended"));
  }
  const PyGILState_STATE state = staying(PyGILState_Ensure);
  const std::exception_ptr failure = failure_of(f);
  PyGILState_Release(state);
  return failure;
}

}  // namespace riffle::python
