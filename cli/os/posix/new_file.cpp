/// The call of `new_file` that is POSIX's.
#include "cli/os/new_file.hpp"

#include <csignal>

namespace riffle::os {

void outlive_full_files() noexcept {
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace riffle::os
