/// The calls of FreeBSD 14.
#include "os/calls.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysctl.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>

#include "os/mapping_calls.hpp"
#include "os/posix/calls.hpp"
#include "os/posix/uninterrupted.hpp"

namespace riffle::os {

int reopen(int descriptor, int flags) noexcept {
  return uninterrupted([&] { return ::openat(descriptor, "", flags | O_EMPTY_PATH); });
}

std::size_t free_descriptors() noexcept {
  const std::array<int, 4> name{CTL_KERN, KERN_PROC, KERN_PROC_NFDS, 0};  // 0: of this process
  rlimit limit{};
  int open = 0;
  std::size_t size = sizeof open;
  const bool told = sysctl(name.data(), static_cast<unsigned>(name.size()), &open, &size, nullptr, 0) == 0;
  if (!told || getrlimit(RLIMIT_NOFILE, &limit) != 0) return RLIM_INFINITY;
  return limit.rlim_cur > open ? static_cast<std::size_t>(limit.rlim_cur - open) : 0;
}

// A larger one than any disk's sector.
std::size_t direct_alignment(int) {
  return 4096;
}

// FreeBSD has no block devices: a disk is a character device.
std::uint64_t block_device_size(int) {
  return 0;
}

std::ptrdiff_t pread_uncached(int descriptor, char* into, std::size_t size, std::uint64_t offset) {
  return ::pread(descriptor, into, size, static_cast<off_t>(offset));
}

void reserve_again(char* at, std::size_t length) noexcept {
  mmap(at, length, PROT_NONE, MAP_PRIVATE | MAP_ANON | MAP_FIXED | MAP_EXCL, -1, 0);
}

void stay_loaded() noexcept {}  // linked by -z nodelete

// A write to memory for reading raises SIGSEGV; see machdep.prot_fault_translation.
bool is_write(const void*) noexcept {
  return false;
}

}  // namespace riffle::os
