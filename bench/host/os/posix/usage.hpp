/// What no POSIX call tells of `usage`.
#ifndef RIFFLE_BENCH_HOST_OS_POSIX_USAGE_HPP
#define RIFFLE_BENCH_HOST_OS_POSIX_USAGE_HPP

#include <cstdint>

namespace riffle::os {

/// Returns the `bytes_read` of `usage`.
std::uint64_t bytes_from_storage();

}  // namespace riffle::os

#endif
