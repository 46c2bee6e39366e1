/// Implements `os::thread_slot` by a key of POSIX threads.
#include "os/thread_slot.hpp"

#include <pthread.h>

#include "os/posix/calls.hpp"

namespace riffle::os {

thread_slot::thread_slot(void (*free)(void*)) noexcept {
  stay_loaded();  // for `free`
  pthread_key_t key{};
  made_ = pthread_key_create(&key, free) == 0;
  key_ = static_cast<std::uintptr_t>(key);
}

void* thread_slot::get() const noexcept {
  return made_ ? pthread_getspecific(static_cast<pthread_key_t>(key_)) : nullptr;
}

bool thread_slot::set(void* pointer) const noexcept {
  return made_ && pthread_setspecific(static_cast<pthread_key_t>(key_), pointer) == 0;
}

}  // namespace riffle::os
