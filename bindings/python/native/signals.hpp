/// Lets Python handle signals while a function reads without the GIL, so that Ctrl-C ends it.
#pragma once

#include <nanobind/nanobind.h>
#include <riffle/options.hpp>

#include <chrono>
#include <exception>
#include <thread>

#include "bindings/python/native/gil.hpp"
#include "bindings/python/native/imported.hpp"

namespace riffle::python {

/// Calls the signal handlers of Python while one thread reads: its maker, or who says so. It stays where it
/// was made, until all was read.
class signal_checks {
 public:
  signal_checks() = default;
  signal_checks(const signal_checks&) = delete;
  signal_checks& operator=(const signal_checks&) = delete;

  /// Returns the options with the checks. What a handler raises ends the reading, and also the wait for the
  /// bytes of a descriptor, if it is not -1. Of a format that was named, what is decoded may be there
  /// without.
  read_options in(read_options reading, int waited = -1) noexcept {
    if (reading.decode == decoding::none || reading.decode == decoding::automatic) waited_ = waited;
    reading.before_block = *this;
    return reading;
  }

  /// From now on this thread reads.
  void follow_this_thread() noexcept { reader_ = std::this_thread::get_id(); }

  /// Is the check.
  void operator()() {
    if (std::this_thread::get_id() != reader_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_ && waited_ < 0) return;
    next_ = now + interval;
    const std::exception_ptr failure = with_gil([this] {
      if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
      if (waited_ >= 0) imported("riffle_io._files").attr("wait_for_descriptor")(waited_);
    });
    if (failure != nullptr) std::rethrow_exception(failure);
  }

 private:
  // To take the GIL for each block would slow down the reading, and the other threads of Python.
  static constexpr std::chrono::milliseconds interval{50};

  int waited_ = -1;
  std::thread::id reader_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now() + interval;
};

}  // namespace riffle::python
