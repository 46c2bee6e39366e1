/// macOS does not tell how many bytes a process and its children read from storage.
#include "bench/host/os/posix/usage.hpp"

namespace riffle::os {

std::uint64_t bytes_from_storage() {
  return 0;
}

}  // namespace riffle::os
