/// What the extension needs of the interpreter: the GIL, signals, modules, the garbage collector, and the
/// parts that it registers.
#pragma once

#include <riffle/options.hpp>

#include <cxxabi.h>
#include <nanobind/nanobind.h>
#include <unistd.h>

#include <chrono>
#include <exception>
#include <memory>
#include <stdexcept>
#include <thread>

#include "bindings/python/native/python_input.hpp"

namespace riffle::python {

/// Returns a module. Raises what an import raises. A module that is imported already is found at once: by
/// Python's own way, all imports took 11 of the 22 microseconds of `list(lines(b"a,b\n1,2\n3,4\n"))` (Intel,
/// Skylake).
inline nanobind::object imported(const char* name) {
  PyObject* const found = PyDict_GetItemString(PyImport_GetModuleDict(), name);
  return found != nullptr ? nanobind::borrow(found) : nanobind::object(nanobind::module_::import_(name));
}

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

// If the interpreter exits meanwhile, CPython before 3.14 ends a daemon thread where it asks for the GIL, by
// unwinding its stack. A destructor there, or a `catch (...)` such as nanobind's around each function, would
// then end the process. So such a thread waits here until the process has ended, as it does in CPython 3.14.

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

/// Says while it exists that an object is in use. A garbage collection or a codec may run any code of Python.
class [[nodiscard]] busy {
 public:
  explicit busy(bool& flag) noexcept : flag_(flag) { flag_ = true; }
  ~busy() { flag_ = false; }
  busy(const busy&) = delete;
  busy& operator=(const busy&) = delete;

 private:
  bool& flag_;
};

/// Adds functions and classes to the module.
using part = void(nanobind::module_& module);

part register_errors, register_records, register_rows, register_counts, register_totals, register_line_index,
    register_values, register_columns, register_splits, register_raw_bytes, register_arrow;

/// Calls the signal handlers of Python and reports the progress, while one thread reads: the thread that made
/// this object, or the one that called `follow_this_thread`. Do not move this object before all was read.
class signal_checks {
 public:
  signal_checks() = default;
  signal_checks(const signal_checks&) = delete;
  signal_checks& operator=(const signal_checks&) = delete;

  /// Returns the options for an input, with the checks. What a handler raises ends the reading, and also the
  /// wait for the bytes of a descriptor.
  read_options in(const reading_options& reading, const python_input& input) noexcept {
    read_options how = reading;
    if (how.decode == decoding::automatic || how.decode == decoding::none) {
      how.decode = input.format().value_or(how.decode);
    }
    how.watch.before_block = *this;
    wait_.descriptor = input.waited();
    if (wait_.descriptor >= 0) how.watch.before_read = wait_;
    told_ = reading.told;
    if (told_) how.watch.compressed_progress = &told_->bytes;
    return how;
  }

  /// From now on this thread reads.
  void follow_this_thread() noexcept { reader_ = std::this_thread::get_id(); }

  /// Is the check.
  void operator()() {
    if (std::this_thread::get_id() != reader_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + interval;
    call([this] {
      if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
      if (told_) told_->tell(false);
    });
  }

  /// Reports the progress at the end of a source.
  void at_end() {
    if (told_) call([this] { told_->tell(true); });
  }

  int visit(visitproc visit, void* arg) const { return told_ ? told_->visit(visit, arg) : 0; }

 private:
  struct wait {
    void operator()() const {
      call([this] {
        if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
        imported("riffle_io._files").attr("wait_for_descriptor")(descriptor);
      });
    }
    int descriptor = -1;
  };

  template <class F>
  static void call(F f) {
    const std::exception_ptr failure = with_gil(f);
    if (failure != nullptr) std::rethrow_exception(failure);
  }

  // To take the GIL for each block would slow down the reading, and the other threads of Python.
  static constexpr std::chrono::milliseconds interval{50};

  wait wait_;
  std::shared_ptr<told_progress> told_;
  std::thread::id reader_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + interval;
};

}  // namespace riffle::python
