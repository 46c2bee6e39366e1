/// Offers the step from C++ exceptions to Python exceptions, for code that nanobind does not call.
#pragma once

#include <nanobind/nanobind.h>
#include <riffle/error.hpp>

#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace riffle::python {

/// Carries what Python code raised through riffle, which replaces a `std::exception` of a stream by its own
/// error.
class python_failure {
 public:
  explicit python_failure(std::exception_ptr raised) noexcept : raised_(std::move(raised)) {}
  const std::exception_ptr& raised() const noexcept { return raised_; }

 private:
  std::exception_ptr raised_;
};

/// Returns a name, or a message with names in it, as Python decodes those of files. Call it with the GIL
/// held.
nanobind::str name_text(std::string_view bytes);

/// Returns the UTF-8 of a text, valid as long as the text. Raises `UnicodeEncodeError` if Python has none for
/// it, as it has none for half a surrogate pair. Call it with the GIL held.
std::string_view utf8_of(const nanobind::str& text);

/// Throws a Python exception of this type, such as `PyExc_ValueError`. Call it with the GIL held.
[[noreturn]] void raise(PyObject* type, const std::string& message);

/// Throws the `ValueError` of a keyword whose value is none of those that `rule` names. Call it with the GIL
/// held.
[[noreturn]] void refuse(std::string_view rule, std::string_view given);

/// Throws the `RiffleError` of a system error. Call it with the GIL held.
[[noreturn]] void raise_riffle_error(std::string_view operation, std::string_view name, int error_number);

/// Warns of a failure by a `UserWarning`. Throws the Python exception that a filter makes of it. Call it with
/// the GIL held.
void warn(const error& failure);

/// Returns the errno of a Python exception; 0 if it is no OSError with one.
int errno_of(const nanobind::python_error& raised);

/// Calls `f`. An OSError of it becomes a `RiffleError` that names the operation and the input. Call it with
/// the GIL held.
template <class F>
void as_riffle_error(std::string_view operation, std::string_view name, F f) {
  int error_number = 0;
  try {
    return f();
  } catch (const nanobind::python_error& raised) {
    error_number = errno_of(raised);
    if (error_number == 0) throw;
  }
  raise_riffle_error(operation, name, error_number);
}

/// Throws the `RuntimeError` that stands for a `StopIteration` of user code, which would end a loop silently,
/// as generators do (PEP 479). Returns if another exception was raised. Call it with the GIL held.
void refuse_stop_iteration(const nanobind::python_error& raised, const char* by);

/// Calls `f`, a step of an iterator, and does that with a `StopIteration` of any code of the user's in it.
template <class F>
auto without_stop_iteration(const F& f) {
  try {
    return f();
  } catch (const nanobind::python_error& raised) {
    refuse_stop_iteration(raised, "what the step called");
    throw;
  }
}

/// Refuses, as the slot `tp_new` of a class of which only functions of the module make objects.
PyObject* refuse_new(PyTypeObject* type, PyObject* arguments, PyObject* keywords) noexcept;

/// Returns the exception that Python code raised; invalid if C++ threw another. Call it with the GIL held.
nanobind::object exception_of(const std::exception_ptr& failure);

/// Returns whether Python code raised it. To set such an exception uses it up.
bool is_of_python(const std::exception_ptr& failure) noexcept;

/// Sets the Python exception that belongs to a C++ exception. Call it with the GIL held.
void set_python_error(const std::exception_ptr& failure) noexcept;

/// Tells what failed to code that has no exceptions.
struct failure_text {
  int error_number = 0;  ///< an `errno`
  std::string message;
};

/// Returns the text of a C++ exception. Call it with or without the GIL.
failure_text text_of(const std::exception_ptr& failure);

/// Calls `f`, which returns a `PyObject*`. Returns nullptr with a Python exception set if `f` throws. A slot
/// of a Python type calls it, because an exception must not leave a slot.
template <class F>
auto guarded(F f) noexcept -> decltype(f()) {
  try {
    return f();
  } catch (...) {
    set_python_error(std::current_exception());
    return nullptr;
  }
}

}  // namespace riffle::python
