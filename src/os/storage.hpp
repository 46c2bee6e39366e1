/// Tells how the system reads from a device.
#ifndef RIFFLE_OS_STORAGE_HPP
#define RIFFLE_OS_STORAGE_HPP

#include <cstdint>

namespace riffle::os {

/// Bytes that one request to a device reads.
struct request_sizes {
  std::uint64_t readahead = 128 * 1024;  ///< by readahead
  std::uint64_t largest = 128 * 1024;    ///< at most
};

/// Returns the sizes for the device of a file system (`file_status::storage`). What the system does not tell
/// is 128 KiB, which every system since Linux 2.6 reads at once.
request_sizes request_sizes_of(std::uint64_t device);

}  // namespace riffle::os

#endif
