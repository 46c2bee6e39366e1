/// The answer in two or three plain sentences, as a function of what was measured.
#ifndef RIFFLE_BENCH_JUDGE_VERDICT_HPP
#define RIFFLE_BENCH_JUDGE_VERDICT_HPP

#include <string>

#include "bench/data/report.hpp"

namespace riffle::bench {

struct verdict {
  std::string text;  // sentences on one line: which method is fastest and why, and whether automatic found it
  std::string code;  // the C++ line that does the task by the winner; empty when nothing was measured
};

/// The verdict on one task on one input; `all` has its other states of the cache, which are set beside it.
verdict verdict_of(const report& all, const task_report& of);

}  // namespace riffle::bench

#endif
