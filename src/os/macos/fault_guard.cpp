/// What the SIGBUS handler asks of macOS, where a write to memory for reading raises SIGBUS, as a lost page
/// does.
#include "os/fault_guard.hpp"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/ucontext.h>

#include <type_traits>

#include "os/posix/calls.hpp"

namespace riffle::os {

namespace {

using registers = std::remove_pointer_t<decltype(ucontext_t::uc_mcontext)>;

#if defined(__x86_64__)
bool wrote(const registers& at) noexcept {
  constexpr unsigned write = 1U << 1U;  // W/R of the page-fault error code
  return (at.__es.__err & write) != 0;
}
#else
bool wrote(const registers& at) noexcept {
  constexpr unsigned write = 1U << 6U;  // WnR of ESR_EL1
  return (at.__es.__esr & write) != 0;
}
#endif

}  // namespace

// The linker of macOS has no -z nodelete.
void stay_loaded() noexcept {
  Dl_info found{};
  if (dladdr(reinterpret_cast<const void*>(&stay_loaded), &found) != 0)
    dlopen(found.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

std::size_t least_signal_stack() noexcept {
  return MINSIGSTKSZ;
}

bool is_write(const void* context) noexcept {
  return wrote(*static_cast<const ucontext_t*>(context)->uc_mcontext);
}

// macOS does not promise that a system call without its function in the C library works; mmap(2) is one call
// there.
bool replace_by_zeros(void* at, std::size_t length, int protection) noexcept {
  return mmap(at, length, protection, MAP_PRIVATE | MAP_ANON | MAP_FIXED, -1, 0) != MAP_FAILED;
}

// macOS does not count mappings.
bool replace_all_by_zeros(void* at, std::size_t length, int protection) noexcept {
  return replace_by_zeros(at, length, protection);
}
void keep_mappings_in_reserve() noexcept {}

// The codes of signals that were sent start at SI_USER, which is positive. The OS kernel gives 0 instead.
bool sent_by_process(const siginfo_t& info) noexcept {
  return info.si_code <= 0 || info.si_code >= SI_USER;
}

bool comes_again(const siginfo_t& info) noexcept {
  return !sent_by_process(info);
}

std::uintptr_t bytes_lost(const siginfo_t&) noexcept {
  return 0;
}

}  // namespace riffle::os
