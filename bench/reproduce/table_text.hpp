/// Prints a published table: published, here, whether it holds, and why not.
#ifndef RIFFLE_BENCH_REPRODUCE_TABLE_TEXT_HPP
#define RIFFLE_BENCH_REPRODUCE_TABLE_TEXT_HPP

#include <string>

#include "bench/data/report.hpp"
#include "bench/judge/published.hpp"

namespace riffle::bench {

/// All of it in at most 80 columns. `judged`: whether the rounds came to their end, so that ratios are
/// judged.
std::string published_text(const published_table& table, const task_report& results, bool judged);

/// "124", "12.4", "1.24", "0.0124": three significant figures.
std::string three_figures(double value);

}  // namespace riffle::bench

#endif
