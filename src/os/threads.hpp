/// What threads of the library need of the system: no cancellation and no signals, a pointer each, and an end
/// to a wait.
#pragma once

#include <riffle/version.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace riffle::os {

/// While it exists, the thread that made it is not cancelled: a function that is `noexcept`, a destructor or
/// a handler that keeps every exception would end the program then. Windows cancels no threads.
class uncancelled {
 public:
  uncancelled() noexcept;
  ~uncancelled();
  uncancelled(const uncancelled&) = delete;
  uncancelled& operator=(const uncancelled&) = delete;

 private:
  int before_ = 0;
};

/// Ends this thread if it was cancelled while an `uncancelled` put that off, unless another one still does.
void end_if_cancelled();

/// While it exists, the calling thread gets no signals but faults, and a thread that it starts never will.
class without_signals {
 public:
  without_signals() noexcept;
  ~without_signals();
  without_signals(const without_signals&) = delete;
  without_signals& operator=(const without_signals&) = delete;

 private:
  alignas(std::max_align_t)
      std::array<std::byte, 128> before_{};  // the sigset_t of the system, which may have none
};

/// Holds one pointer for each thread. If there is no memory, glibc ends the program when it registers the
/// destructor of a thread_local object; here `set` fails instead.
///
/// It has no destructor: the destructors of static objects may use it. It is a constant until `set` asks the
/// system for room, so no thread waits for another that makes it.
class thread_slot {
 public:
  /// When a thread ends, calls `free` with its pointer, unless that is null.
  constexpr explicit thread_slot(void (*free)(void*)) noexcept : free_(free) {}
  /// Returns the pointer of this thread; null if none was set.
  void* get() const noexcept;
  /// Returns false if the system has no room for the pointer.
  bool set(void* pointer) noexcept;

 private:
  void (*free_)(void*);
  std::atomic<std::uintptr_t> key_{0};  // of the system, plus 1; 0: none yet
};

/// Is stopped once, by any thread. Without a free descriptor, and on Windows, it ends no wait.
class stop_event {
 public:
  stop_event() noexcept;
  stop_event(const stop_event&) = delete;
  stop_event& operator=(const stop_event&) = delete;
  ~stop_event();

  /// Ends every wait, also those that begin later.
  void stop() const noexcept;
  /// Waits until a read from the descriptor gives bytes, the end or an error. Returns false if it was
  /// stopped.
  bool wait_readable(int descriptor) const noexcept;

 private:
  int ends_[2] = {-1, -1};  // of a pipe, which has a byte once it was stopped
};

}  // namespace riffle::os
