/// Tells a process from the one that it was forked from.
#include <unistd.h>

#include "os/calls.hpp"

namespace riffle::os {

std::uint64_t process() noexcept {
  return static_cast<std::uint64_t>(getpid());
}

}  // namespace riffle::os
