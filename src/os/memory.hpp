/// Tells how much memory there is.
#ifndef RIFFLE_OS_MEMORY_HPP
#define RIFFLE_OS_MEMORY_HPP

#include <cstdint>

namespace riffle::os {

/// Returns how many bytes the page cache can hold for this process without taking what others use: the memory
/// that is available, or the limit of the process's memory cgroup if that is less. It is found out once.
std::uint64_t memory_for_cache();

}  // namespace riffle::os

#endif
