/// A pointer for each thread; Windows has no signals, no cancellation and no wait for a pipe and another
/// thing.
#include "os/threads.hpp"
#include "os/facts.hpp"
#include "os/windows/calls.hpp"

namespace riffle::os {

void stay_loaded() noexcept {
  HMODULE module = nullptr;
  GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                     reinterpret_cast<const wchar_t*>(&stay_loaded), &module);
}

// Fiber-local storage has a function to call when a thread ends; thread-local storage has none.
void* thread_slot::get() const noexcept {
  const std::uintptr_t kept = key_;
  return kept != 0 ? FlsGetValue(static_cast<DWORD>(kept - 1)) : nullptr;
}

bool thread_slot::set(void* pointer) noexcept {
  std::uintptr_t kept = key_;
  if (kept == 0) {
    stay_loaded();  // for `free_`
    const DWORD fresh = FlsAlloc(free_);
    if (fresh == FLS_OUT_OF_INDEXES) return false;
    if (key_.compare_exchange_strong(kept, std::uintptr_t{fresh} + 1)) {
      kept = key_;
    } else {
      FlsFree(fresh);  // another thread was faster
    }
  }
  return FlsSetValue(static_cast<DWORD>(kept - 1), pointer) != 0;
}

std::uint64_t process() noexcept {
  return GetCurrentProcessId();
}

// A signal of the console starts a thread of its own.
without_signals::without_signals() noexcept = default;
without_signals::~without_signals() = default;

uncancelled::uncancelled() noexcept = default;
uncancelled::~uncancelled() = default;

void end_if_cancelled() {}

stop_event::stop_event() noexcept = default;
stop_event::~stop_event() = default;
void stop_event::stop() const noexcept {}
bool stop_event::wait_readable(int /*descriptor*/) const noexcept {
  return true;
}

}  // namespace riffle::os
