/// Lets Python handle signals while a function reads without the GIL, so that Ctrl-C ends it, and reports
/// the progress.
#pragma once

#include <nanobind/nanobind.h>
#include <riffle/options.hpp>

#include <chrono>
#include <exception>
#include <memory>
#include <thread>

#include "bindings/python/native/gil.hpp"
#include "bindings/python/native/imported.hpp"
#include "bindings/python/native/reading.hpp"

namespace riffle::python {

/// Calls the signal handlers of Python and reports the progress, while one thread reads: the thread that made
/// this object, or the one that called `follow_this_thread`. It stays where it was made, until all was read.
class signal_checks {
 public:
  signal_checks() = default;
  signal_checks(const signal_checks&) = delete;
  signal_checks& operator=(const signal_checks&) = delete;

  /// Returns the options with the checks. What a handler raises ends the reading, and also the wait for the
  /// bytes of a descriptor, if it is not -1.
  read_options in(const reading_options& reading, int waited = -1) noexcept {
    read_options how = reading;
    how.before_block = *this;
    wait_.descriptor = waited;
    if (waited >= 0) how.before_read = wait_;
    told_ = reading.told;
    if (told_) how.compressed_progress = &told_->bytes;
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
