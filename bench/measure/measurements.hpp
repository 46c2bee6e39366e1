/// What the rounds gave becomes the lines of a report: labelled, bound by their limits, in order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/data/contender.hpp"
#include "bench/data/report.hpp"

namespace riffle::bench {

/// The name with what was varied: "read", "read 64K", "read 64K x2". Published programs name their block size
/// themselves, if they vary it.
std::string label_of(std::string_view name, role part, std::size_t block_size, unsigned threads);

/// Puts contenders and their results, which are in the same order, together in the report's order.
std::vector<measurement> in_order(const std::vector<contender>& contenders, std::vector<result> results,
                                  cache_mode cache);

/// The fastest of each kind of limit with one thread, over all tables.
limits limits_of(const std::vector<task_report>& tables);

}  // namespace riffle::bench
