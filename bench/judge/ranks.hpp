/// The ranks of contenders: those that were shown not to differ share a rank.
#ifndef RIFFLE_BENCH_JUDGE_RANKS_HPP
#define RIFFLE_BENCH_JUDGE_RANKS_HPP

#include <vector>

#include "bench/data/report.hpp"

namespace riffle::bench {

/// Fewer rounds than this tell too little for a rank, however far apart two contenders are (see `compare`).
inline constexpr std::size_t fewest_to_rank = 3;

/// The rank of each of `table.lines`, as in a race with dead heats: 1 1 1 4 5. Any two with ranks were told
/// apart, as their ranks say: they share a rank if they are alike, and the later rank is certain to be
/// slower. 0: a limit, or not measured; or it cannot be told from a steadier contender that has a rank. One
/// with fewer than `rounds_to_judge` runs has to be told from all.
std::vector<unsigned> ranks_of(const task_report& table);

}  // namespace riffle::bench

#endif
