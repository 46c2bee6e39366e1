/// The warnings of what may make a result wrong, each with a remedy.
#ifndef RIFFLE_BENCH_JUDGE_WARNINGS_HPP
#define RIFFLE_BENCH_JUDGE_WARNINGS_HPP

#include <string>
#include <string_view>
#include <vector>

#include "bench/data/report.hpp"
#include "bench/data/warnings.hpp"

namespace riffle::bench {

/// An input may fill so much of the free memory: the contenders need memory too, and the OS kernel evicts
/// before it is full.
inline constexpr double most_cached = 0.75;
/// Of the clock, in one run; then a tick is 1 %.
inline constexpr double fewest_ticks = 100;
/// The largest median absolute deviation that is not warned of, as a fraction of the median.
inline constexpr double most_deviation = 0.1;

/// Returns the warnings of a report, at most one of each kind.
std::vector<warning> warnings_of(const report& report);

/// "busy_machine", for programs.
std::string_view name_of(const warning& which);
/// One sentence: the problem.
std::string text_of(const warning& which);
/// One sentence: the remedy.
std::string remedy_of(const warning& which);

}  // namespace riffle::bench

#endif
