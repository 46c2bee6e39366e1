/// What may make a result wrong is said beside it, each time with what to do about it.
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

/// All that there is to warn of in a report: at most one warning of each kind.
std::vector<warning> warnings_of(const report& report);

/// "busy_machine", for programs.
std::string_view name_of(const warning& which);
/// One sentence: what is the matter.
std::string text_of(const warning& which);
/// One sentence: what to do about it.
std::string remedy_of(const warning& which);

}  // namespace riffle::bench

#endif
