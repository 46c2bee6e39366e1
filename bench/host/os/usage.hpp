/// What this process has used of the machine, for the benchmark.
#ifndef RIFFLE_BENCH_HOST_OS_USAGE_HPP
#define RIFFLE_BENCH_HOST_OS_USAGE_HPP

#include <cstdint>

namespace riffle::os {

/// Of this process and of its children that have ended; 0 if the OS does not tell.
struct usage {
  double user_seconds;
  double system_seconds;
  std::uint64_t minor_faults;
  std::uint64_t major_faults;
  std::uint64_t voluntary_switches;
  std::uint64_t involuntary_switches;
  std::uint64_t bytes_read;  // from storage
};

usage usage_so_far();

}  // namespace riffle::os

#endif
