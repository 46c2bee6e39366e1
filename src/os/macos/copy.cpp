/// No call of macOS copies between any two descriptors: sendfile(2) writes to sockets alone.
#include "os/copy.hpp"

namespace riffle::os {

kernel_copy::kernel_copy(const file& from, const file& to, std::uint64_t offset) noexcept
    : from_(from.descriptor()), to_(to.descriptor()), offset_(offset) {}

std::size_t kernel_copy::next() noexcept {
  return 0;
}

}  // namespace riffle::os
