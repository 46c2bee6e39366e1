/// What the SIGBUS handler asks of Linux.
#include <sched.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

#include "os/fault_guard.hpp"
#include "os/mapping.hpp"
#include "os/posix/calls.hpp"

namespace riffle::os {

namespace {

#if defined(__s390x__)
long map(void* at, std::size_t length, int protection, int flags) noexcept {
  // The OS kernel takes the address of the arguments there.
  unsigned long arguments[] = {
      reinterpret_cast<unsigned long>(at), length, static_cast<unsigned long>(protection),
      static_cast<unsigned long>(flags),   ~0UL,   0};
  return syscall(SYS_mmap, arguments);
}
#elif defined(SYS_mmap2)
long map(void* at, std::size_t length, int protection, int flags) noexcept {
  return syscall(SYS_mmap2, at, length, protection, flags, -1, 0L);
}
#else
long map(void* at, std::size_t length, int protection, int flags) noexcept {
  return syscall(SYS_mmap, at, length, protection, flags, -1, 0L);
}
#endif

// Where a process has as many mappings as it may have (vm.max_map_count), mmap(2) fails even if it only
// replaces one. So some are kept in reserve: pages of which each second one may be read. They are shared, so
// that none is joined to a neighbour. There are several, because other threads may be faster when they are
// given up.
constexpr std::size_t most_in_reserve = 8;
std::atomic<char*> reserve{nullptr};
std::atomic<int> in_need{0};

bool map_zeros(void* at, std::size_t length, int protection) noexcept {
  return map(at, length, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE) != -1;
}

}  // namespace

void keep_mappings_in_reserve() noexcept {
  if (reserve != nullptr) return;
  const long begin = map(nullptr, most_in_reserve * page_size(), PROT_NONE, MAP_SHARED | MAP_ANONYMOUS);
  if (begin == -1) return;
  auto* const pages = reinterpret_cast<char*>(begin);
  for (std::size_t i = 0; i < most_in_reserve; i += 2)
    syscall(SYS_mprotect, pages + i * page_size(), page_size(), PROT_READ);
  char* none = nullptr;
  if (!reserve.compare_exchange_strong(none, pages))
    syscall(SYS_munmap, pages, most_in_reserve * page_size());
}

bool replace_by_zeros(void* at, std::size_t length, int protection) noexcept {
  return in_need == 0 && map_zeros(at, length, protection);
}

// It waits for no lock: another thread that has given the reserve up keeps one again in a moment.
bool replace_all_by_zeros(void* at, std::size_t length, int protection) noexcept {
  ++in_need;
  bool replaced = map_zeros(at, length, protection);
  for (int tries = 0; !replaced && tries != 1000; ++tries) {
    if (char* const given_up = reserve.exchange(nullptr)) {
      syscall(SYS_munmap, given_up, most_in_reserve * page_size());
    } else {
      sched_yield();
    }
    replaced = map_zeros(at, length, protection);
  }
  keep_mappings_in_reserve();
  --in_need;
  return replaced;
}

void stay_loaded() noexcept {}  // linked by -z nodelete

// An OS kernel before 5.14 does not say it. The registers of the processor are the most of it.
std::size_t least_signal_stack() noexcept {
  constexpr unsigned long of_this_processor = 51;  // AT_MINSIGSTKSZ
  return std::max<std::size_t>(getauxval(of_this_processor), 2048);
}

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
