/// The clock and the meter of every measurement.
#pragma once

#include <sys/resource.h>

#include <chrono>
#include <cstdint>
#include <functional>

#include "bench/data/task.hpp"

namespace riffle::bench {

/// Nanoseconds since any fixed moment. Tests give their own.
using clock = std::function<std::int64_t()>;
/// What this process has used so far. Tests give their own.
using meter = std::function<usage()>;

/// The clock that never goes back.
inline std::int64_t steady_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace riffle::bench

namespace riffle::os {

/// Adds the times and the page faults that the OS counted.
void add_usage(bench::usage& to, const rusage& used);
/// Of this process and of its children that have ended; 0 if the OS does not tell.
bench::usage usage_so_far();

}  // namespace riffle::os
