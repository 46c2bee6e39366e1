/// Tells how much memory there is, how many processors, and how the system reads from a device.
#pragma once

#include <cstdint>

namespace riffle::os {

/// Returns how many bytes the page cache can hold for this process without taking what others use: the memory
/// that is available, or the limit of the process's memory cgroup if that is less. It is found out once.
std::uint64_t memory_for_cache();

/// Returns how many threads of this process run at once: on the processors of its affinity mask, or by the
/// CPU quota of its control groups, rounded up, if that is less. The quota is found out once.
unsigned usable_processors() noexcept;

/// Bytes that one request to a device reads.
struct request_sizes {
  std::uint64_t readahead = 128 * 1024;  ///< by readahead
  std::uint64_t largest = 128 * 1024;    ///< at most
};

/// Returns the sizes for the device of a file system (`file_status::storage`). What the system does not tell
/// is 128 KiB, which every system since Linux 2.6 reads at once.
request_sizes request_sizes_of(std::uint64_t device);

}  // namespace riffle::os
