/// Keeps a pointer for each thread without memory of its own, which a thread_local object with a destructor
/// takes.
#pragma once

#include <atomic>
#include <cstdint>

namespace riffle::os {

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

}  // namespace riffle::os
