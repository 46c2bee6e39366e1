/// The capacity of pipes, which Linux tells.
#include <fcntl.h>

#include "tests/support/descriptors.hpp"

namespace riffle::test {

std::optional<int> capacity_of(int pipe) {
  const int bytes = ::fcntl(pipe, F_GETPIPE_SZ);
  return bytes < 0 ? std::nullopt : std::optional(bytes);
}

bool set_capacity(int pipe, int bytes) {
  return ::fcntl(pipe, F_SETPIPE_SZ, bytes) >= 0;
}

}  // namespace riffle::test
