/// Samples are added up, and those of two contenders are compared round by round.
#ifndef RIFFLE_BENCH_STATS_SAMPLES_HPP
#define RIFFLE_BENCH_STATS_SAMPLES_HPP

#include <vector>

#include "bench/data/sample.hpp"
#include "bench/stats/statistics.hpp"

namespace riffle::bench {

/// What each of `runs` runs used between two readings of the meter.
usage usage_between(const usage& before, const usage& after, unsigned runs);

/// The seconds alone, in order.
std::vector<double> seconds_of(const std::vector<sample>& samples);
/// The median of each figure.
usage median_usage(const std::vector<sample>& samples);
/// `compare` over the rounds in which both were timed. Fewer than three of them (one was slow, and had rounds
/// of its own) leave what is plain from all runs of both.
difference compare(const std::vector<sample>& first, const std::vector<sample>& second);

}  // namespace riffle::bench

#endif
