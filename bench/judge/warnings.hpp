/// The warnings of what may make a result wrong, each with a remedy.
#ifndef RIFFLE_BENCH_JUDGE_WARNINGS_HPP
#define RIFFLE_BENCH_JUDGE_WARNINGS_HPP

#include <vector>

#include "bench/data/report.hpp"
#include "bench/data/warnings.hpp"

namespace riffle::bench {

/// Returns the warnings of a report, at most one of each kind. docs/bench-json.md says what each means.
std::vector<warning> warnings_of(const report& report);

}  // namespace riffle::bench

#endif
