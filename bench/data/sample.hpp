/// One timed run, with what it used of the machine beside its time.
#ifndef RIFFLE_BENCH_DATA_SAMPLE_HPP
#define RIFFLE_BENCH_DATA_SAMPLE_HPP

#include <cstdint>
#include <functional>
#include <vector>

#include "bench/stats/statistics.hpp"

namespace riffle::bench {

/// What a run used, its child processes included. In `sample`, of one run; from a `meter`, since some fixed
/// moment.
struct usage {
  double user_seconds = 0;
  double system_seconds = 0;
  double minor_faults = 0;          // pages that were in memory, but not in the mapping
  double major_faults = 0;          // pages that had to be read
  double voluntary_switches = 0;    // it waited
  double involuntary_switches = 0;  // it was interrupted
  double bytes_read = 0;            // from storage, that is: past the page cache
};

/// The usage so far. Tests give their own.
using meter = std::function<usage()>;
/// The meter of this process and of its children that have ended.
meter process_meter();

/// What each of `runs` runs used between two readings of the meter.
usage usage_between(const usage& before, const usage& after, unsigned runs);

/// One timed run. Where a contender is so fast that several runs are timed together, their mean.
struct sample {
  unsigned round = 0;  // 0: the first run, which counts if it is long
  double seconds = 0;
  bench::usage usage = {};
};

/// The seconds alone, in order.
std::vector<double> seconds_of(const std::vector<sample>& samples);
/// The median of each figure.
usage median_usage(const std::vector<sample>& samples);
/// `compare` over the rounds in which both were timed. Fewer than three of them (one was slow, and had rounds
/// of its own) leave what is plain from all runs of both.
difference compare(const std::vector<sample>& first, const std::vector<sample>& second);

}  // namespace riffle::bench

#endif
