/// No way of reading is faster than the machine; what the machine can do is measured in the same run.
#ifndef RIFFLE_BENCH_HOST_LIMITS_HPP
#define RIFFLE_BENCH_HOST_LIMITS_HPP

#include <filesystem>
#include <optional>

#include "bench/measure/rounds.hpp"

namespace riffle::bench {

/// What the machine can do at most, one thread at a time; nothing where it could not be measured.
struct limits {
  std::optional<double> ram_scan;      // bytes a second: memory that is mapped, read once
  std::optional<double> ram_copy;      // bytes a second: memory copied into a buffer that stays in the cache
  std::optional<double> page_faults;   // a second: on a cached file that was written in small pieces
  std::optional<double> system_calls;  // a second: the cheapest one
  std::optional<double> pipe;          // bytes a second: from one process to another
  std::optional<double> device;        // bytes a second: O_DIRECT, a deep queue, front to back
};

/// Measures them, with files made in `directory`, which is on the device in question. Takes about `seconds`.
/// Whatever the system refuses stays empty.
limits measure_limits(const std::filesystem::path& directory, const clock& now, double seconds = 3);

}  // namespace riffle::bench

#endif
