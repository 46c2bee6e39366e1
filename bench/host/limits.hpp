/// Measures what the machine can do at most, with memory and files of its own.
#ifndef RIFFLE_BENCH_HOST_LIMITS_HPP
#define RIFFLE_BENCH_HOST_LIMITS_HPP

#include <filesystem>

#include "bench/data/limits.hpp"
#include "bench/host/clock.hpp"

namespace riffle::bench {

/// Measures them, with files made in `directory`, which is on the device in question. Takes about `seconds`.
/// Whatever the system refuses stays empty. It ends early once a signal was noted (os::interrupted).
limits measure_limits(const std::filesystem::path& directory, const clock& now, double seconds = 3);

}  // namespace riffle::bench

#endif
