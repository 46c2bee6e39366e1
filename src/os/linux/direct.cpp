/// Asks the OS kernel what reads past the page cache need. musl's <sys/stat.h> defines what <linux/stat.h>
/// defines too.
#include <fcntl.h>
#include <linux/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "os/facts.hpp"

namespace riffle::os {

// The statx of the C library may be older than that of the OS kernel, so this calls the OS kernel directly.
std::size_t direct_alignment(int descriptor) {
  constexpr unsigned wanted = 0x2000;  // STATX_DIOALIGN
  struct statx facts{};
  const long result = syscall(SYS_statx, descriptor, "", AT_EMPTY_PATH, wanted, &facts);
  if (result != 0 || (facts.stx_mask & wanted) == 0) return 4096;
  const std::size_t alignment = std::max(facts.stx_dio_mem_align, facts.stx_dio_offset_align);
  return alignment != 0 && alignment <= 4096 ? alignment : 4096;
}

}  // namespace riffle::os
