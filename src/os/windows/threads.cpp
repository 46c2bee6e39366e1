/// A pointer for each thread, and the signals that threads of Windows do not get.
#include "os/signals.hpp"
#include "os/thread_slot.hpp"
#include "os/windows/calls.hpp"

namespace riffle::os {

void stay_loaded() noexcept {
  HMODULE module = nullptr;
  GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                     reinterpret_cast<const wchar_t*>(&stay_loaded), &module);
}

// Fiber-local storage has a function to call when a thread ends; thread-local storage has none.
thread_slot::thread_slot(void (*free)(void*)) noexcept {
  stay_loaded();  // for `free`
  const DWORD key = FlsAlloc(free);
  made_ = key != FLS_OUT_OF_INDEXES;
  key_ = key;
}

void* thread_slot::get() const noexcept {
  return made_ ? FlsGetValue(static_cast<DWORD>(key_)) : nullptr;
}

bool thread_slot::set(void* pointer) const noexcept {
  return made_ && FlsSetValue(static_cast<DWORD>(key_), pointer) != 0;
}

// A signal of the console starts a thread of its own.
without_signals::without_signals() noexcept = default;
without_signals::~without_signals() = default;

}  // namespace riffle::os
