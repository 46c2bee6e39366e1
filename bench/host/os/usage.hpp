/// What this process has used of the machine, for the benchmark.
#ifndef RIFFLE_BENCH_HOST_OS_USAGE_HPP
#define RIFFLE_BENCH_HOST_OS_USAGE_HPP

#include "bench/data/sample.hpp"

namespace riffle::os {

/// Of this process and of its children that have ended; 0 if the OS does not tell.
bench::usage usage_so_far();

}  // namespace riffle::os

#endif
