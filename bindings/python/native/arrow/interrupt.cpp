/// Hands an exception of a signal handler to the pending calls of Python.
#include "bindings/python/native/arrow/interrupt.hpp"

#include <nanobind/nanobind.h>

#include <utility>

#include "bindings/python/native/errors.hpp"
#include "bindings/python/native/gil.hpp"

namespace nb = nanobind;

namespace riffle::python::arrow {

struct interrupt::kept {
  nb::object exception;  // none after it was raised

  /// Sets the exception, once. Returns whether it did.
  bool raise() noexcept {
    const nb::object raised = std::exchange(exception, nb::object());
    if (!raised.is_valid()) return false;
    PyErr_SetObject(raised.type().ptr(), raised.ptr());
    return true;
  }
};

void interrupt::keep(const std::exception_ptr& failure) noexcept {
  static_cast<void>(with_gil([&] {
    const nb::object raised = exception_of(failure);
    if (!raised.is_valid() || PyErr_GivenExceptionMatches(raised.ptr(), PyExc_Exception) != 0) return;
    kept_ = std::make_shared<kept>(raised);
    auto held = std::make_unique<std::shared_ptr<kept>>(kept_);
    const auto raise = [](void* given) {
      const std::unique_ptr<std::shared_ptr<kept>> taken(static_cast<std::shared_ptr<kept>*>(given));
      return (*taken)->raise() ? -1 : 0;
    };
    if (Py_AddPendingCall(raise, held.get()) == 0) static_cast<void>(held.release());
  }));
}

void interrupt::replace_error() noexcept {
  if (kept_ == nullptr) return;
  static_cast<void>(with_gil([this] {
    if (PyErr_Occurred() != nullptr) kept_->raise();
    kept_.reset();
  }));
}

}  // namespace riffle::python::arrow
