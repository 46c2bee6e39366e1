/// What may make a result wrong is said beside it, each time with what to do about it.
#ifndef RIFFLE_BENCH_JUDGE_WARNINGS_HPP
#define RIFFLE_BENCH_JUDGE_WARNINGS_HPP

#include <string>
#include <string_view>
#include <vector>

#include "bench/data/report.hpp"

namespace riffle::bench {

/// "busy_machine", for programs.
std::string_view name_of(const warning& which);
/// One sentence: what is the matter.
std::string text_of(const warning& which);
/// One sentence: what to do about it.
std::string remedy_of(const warning& which);

/// All that is to be said about a report.
std::vector<warning> warnings_of(const report& all);

}  // namespace riffle::bench

#endif
