/// What the SIGBUS handler asks of Linux.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "os/fault_guard.hpp"
#include "os/posix/calls.hpp"

namespace riffle::os {

namespace {

constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;

#if defined(__s390x__)
long map_zeros(void* at, std::size_t length, int protection) noexcept {
  // The OS kernel takes the address of the arguments there.
  unsigned long arguments[] = {
      reinterpret_cast<unsigned long>(at), length, static_cast<unsigned long>(protection), flags, ~0UL, 0};
  return syscall(SYS_mmap, arguments);
}
#elif defined(SYS_mmap2)
long map_zeros(void* at, std::size_t length, int protection) noexcept {
  return syscall(SYS_mmap2, at, length, protection, flags, -1, 0L);
}
#else
long map_zeros(void* at, std::size_t length, int protection) noexcept {
  return syscall(SYS_mmap, at, length, protection, flags, -1, 0L);
}
#endif

}  // namespace

bool replace_by_zeros(void* at, std::size_t length, int protection) noexcept {
  return map_zeros(at, length, protection) != -1;
}

void stay_loaded() noexcept {}  // linked by -z nodelete

bool sent_by_process(const siginfo_t& info) noexcept {
  return info.si_code <= 0;
}

// BUS_MCEERR_AO tells of bad memory that no instruction has touched.
bool comes_again(const siginfo_t& info) noexcept {
  return !sent_by_process(info) && info.si_code != BUS_MCEERR_AO;
}

// Bad memory makes a whole huge page unreadable. In 32 bits a page may be said to be larger than all
// addresses.
std::uintptr_t bytes_lost(const siginfo_t& info) noexcept {
  const bool memory_failure = info.si_code == BUS_MCEERR_AR || info.si_code == BUS_MCEERR_AO;
  constexpr int most = std::numeric_limits<std::uintptr_t>::digits - 1;
  return memory_failure ? std::uintptr_t{1} << std::min<int>(info.si_addr_lsb, most) : 0;
}

bool is_write(const void*) noexcept {
  return false;  // that is a SIGSEGV
}

}  // namespace riffle::os
