/// Pages that fail when they are touched, as those of a bad memory module would: by userfaultfd, from
/// Linux 6.6.
#pragma once

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace riffle::test {

struct poison_request {  // uffdio_poison, which Debian 12's headers do not have yet
  uffdio_range range;
  std::uint64_t mode;
  std::int64_t updated;
};

/// Poisons pages that are mapped and not there yet. Returns whether it could.
inline bool poison(const char* at, std::size_t size) {
  const int faults = static_cast<int>(::syscall(SYS_userfaultfd, O_CLOEXEC));
  uffdio_api api{};
  api.api = UFFD_API;
  uffdio_register registered{};
  registered.range = {reinterpret_cast<std::uintptr_t>(at), size};
  registered.mode = UFFDIO_REGISTER_MODE_MISSING;
  poison_request wanted{.range = registered.range, .mode = 0, .updated = 0};
  const bool done = faults >= 0 && ::ioctl(faults, UFFDIO_API, &api) == 0 &&
                    ::ioctl(faults, UFFDIO_REGISTER, &registered) == 0 &&
                    ::ioctl(faults, _IOWR(UFFDIO, 0x08, poison_request), &wanted) == 0;
  if (faults >= 0) ::close(faults);
  return done;
}

}  // namespace riffle::test
