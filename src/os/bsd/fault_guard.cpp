/// What the SIGBUS handler asks of macOS and FreeBSD.
#include "os/fault_guard.hpp"

#include <sys/mman.h>

#include "os/posix/calls.hpp"

namespace riffle::os {

// Neither system promises that a system call without its function in the C library works; mmap(2) is one call
// there.
bool replace_by_zeros(void* at, std::size_t length, int protection) noexcept {
  return mmap(at, length, protection, MAP_PRIVATE | MAP_ANON | MAP_FIXED, -1, 0) != MAP_FAILED;
}

// Neither counts mappings.
bool replace_all_by_zeros(void* at, std::size_t length, int protection) noexcept {
  return replace_by_zeros(at, length, protection);
}
void keep_mappings_in_reserve() noexcept {}

// Here the codes of signals that were sent start at SI_USER, which is positive. The OS kernel of macOS gives
// 0 instead.
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
