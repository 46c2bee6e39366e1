/// The calls of `new_file` that are POSIX's.
#include "cli/os/new_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <csignal>

namespace riffle::os {

// Linux closes the descriptor also if a signal interrupts the call.
int close_descriptor(int descriptor) noexcept {
  return ::close(descriptor) == 0 || errno == EINTR ? 0 : errno;
}

void outlive_full_files() noexcept {
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace riffle::os
