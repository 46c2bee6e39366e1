/// The ranks of contenders: differences within the noise share a rank.
#ifndef RIFFLE_BENCH_JUDGE_RANKS_HPP
#define RIFFLE_BENCH_JUDGE_RANKS_HPP

#include <vector>

#include "bench/data/report.hpp"

namespace riffle::bench {

/// Fewer rounds than this tell too little for a rank, however far apart two contenders are (see `compare`).
inline constexpr std::size_t fewest_to_rank = 3;

/// The rank of each of `table.lines`, as in a race with dead heats: 1 1 1 4 5. A rank goes from its first
/// contender, the fastest, to the last before one that is certain to be slower than that first one. 0: a
/// limit, or not measured; or too few rounds, be it fewer than `fewest_to_rank` or too few to see that the
/// contender does not differ from the first of its rank.
std::vector<unsigned> ranks_of(const task_report& table);

}  // namespace riffle::bench

#endif
