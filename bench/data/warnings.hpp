/// The warnings as data. bench/judge finds them and words them.
#ifndef RIFFLE_BENCH_DATA_WARNINGS_HPP
#define RIFFLE_BENCH_DATA_WARNINGS_HPP

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace riffle::bench {

/// Other programs run: they took more than half of the processors as the run began.
struct busy_machine {
  double load;
  unsigned processors;
};
/// The host gave this guest's time to others.
struct stolen_time {
  double share;  // of the run
};
/// The processor may change its frequency from one run to the next.
struct frequency_scaling {
  std::string governor;
};
/// Inputs that are larger than the memory that is free to cache them.
struct exceeds_cache {
  std::vector<std::string> inputs;
  std::uint64_t bytes;  // of the largest
  std::uint64_t available;
};
/// Contenders up to 4 times slower than the best that read over 1 % of the input from storage, although it
/// was in the page cache as each run began: the system evicts it meanwhile.
struct not_cached {
  std::vector<std::string> inputs;
  std::vector<std::string> contenders;  // "gc riffle/read"
};
/// A cold run was faster than the device: the bytes came from a cache of the host or of the controller.
struct host_cache {
  std::vector<std::string> inputs;
  double gb_per_s;  // of the fastest such run
  double device_gb_per_s;
};
/// Runs so short that the ticks of the clock show in them.
struct coarse_clock {
  double tick_ns;
  std::string contender;  // the one with the shortest runs: "gc riffle/read"
};
/// Contenders up to 4 times slower than the best whose median
/// absolute deviation is over a tenth of their median.
struct unsteady {
  std::vector<std::string> tasks;
  std::vector<std::string> contenders;  // "gc riffle/read"
};
/// Contenders up to 4 times slower than the best with fewer than 6 timed runs, which give no interval, or
/// whose interval stayed wide.
struct too_few_rounds {
  std::vector<std::string> tasks;
  std::vector<std::string> contenders;  // "gc riffle/read"
};

using warning = std::variant<busy_machine, stolen_time, frequency_scaling, exceeds_cache, not_cached,
                             host_cache, coarse_clock, unsteady, too_few_rounds>;

}  // namespace riffle::bench

#endif
