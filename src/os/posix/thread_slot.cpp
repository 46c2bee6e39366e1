/// Implements `os::thread_slot` by a key of POSIX threads.
#include "os/thread_slot.hpp"

#include <pthread.h>

#include "os/posix/calls.hpp"

namespace riffle::os {

namespace {

pthread_key_t key_of(std::uintptr_t kept) noexcept {
  return static_cast<pthread_key_t>(kept - 1);
}

}  // namespace

void* thread_slot::get() const noexcept {
  const std::uintptr_t kept = key_;
  return kept != 0 ? pthread_getspecific(key_of(kept)) : nullptr;
}

bool thread_slot::set(void* pointer) noexcept {
  std::uintptr_t kept = key_;
  if (kept == 0) {
    stay_loaded();  // for `free_`
    pthread_key_t fresh{};
    if (pthread_key_create(&fresh, free_) != 0) return false;
    if (key_.compare_exchange_strong(kept, static_cast<std::uintptr_t>(fresh) + 1)) {
      kept = key_;
    } else {
      pthread_key_delete(fresh);  // another thread was faster
    }
  }
  return pthread_setspecific(key_of(kept), pointer) == 0;
}

}  // namespace riffle::os
