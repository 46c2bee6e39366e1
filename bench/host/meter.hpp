/// Reads what this process has used of the machine, as a clock reads the time.
#ifndef RIFFLE_BENCH_HOST_METER_HPP
#define RIFFLE_BENCH_HOST_METER_HPP

#include <functional>

#include "bench/data/sample.hpp"

namespace riffle::bench {

/// The usage so far. Tests give their own.
using meter = std::function<usage()>;
/// The meter of this process and of its children that have ended.
meter process_meter();

}  // namespace riffle::bench

#endif
