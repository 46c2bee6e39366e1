/// The clock of every measurement.
#ifndef RIFFLE_BENCH_HOST_CLOCK_HPP
#define RIFFLE_BENCH_HOST_CLOCK_HPP

#include <cstdint>
#include <functional>

namespace riffle::bench {

/// Nanoseconds since any fixed moment. Tests give their own.
using clock = std::function<std::int64_t()>;
/// The clock that never goes back.
clock steady_clock();

}  // namespace riffle::bench

#endif
