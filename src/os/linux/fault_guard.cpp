/// The system call of the SIGBUS handler, on Linux.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/fault_guard.hpp"

namespace riffle::os {

namespace {

#ifdef SYS_mmap2
constexpr long map_call = SYS_mmap2;  // 32-bit: the offset counts in pages, which is all the same for 0
#else
constexpr long map_call = SYS_mmap;
#endif

}  // namespace

bool replace_by_zeros(void* at, std::size_t length, int protection) noexcept {
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
  return syscall(map_call, at, length, protection, flags, -1, 0L) != -1;
}

}  // namespace riffle::os
