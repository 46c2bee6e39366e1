/// By posix_fadvise(2), and by /proc/sys/vm/drop_caches.
#include "bench/host/os/eviction.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace riffle::os {

void write_back(const file& file) noexcept {
  fsync(file.descriptor());
}

void evict(const file& file) noexcept {
  write_back(file);  // dirty pages are not given up
  posix_fadvise(file.descriptor(), 0, 0, POSIX_FADV_DONTNEED);
}

bool evict_all_files() noexcept {
  const int control = ::open("/proc/sys/vm/drop_caches", O_WRONLY | O_CLOEXEC);
  if (control < 0) return false;
  const bool done = ::write(control, "3", 1) == 1;
  ::close(control);
  return done;
}

}  // namespace riffle::os
