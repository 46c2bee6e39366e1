/// Ranks are given from the fastest line down, by pairs that are certain to differ.
#include "bench/judge/ranks.hpp"

#include "bench/stats/samples.hpp"

namespace riffle::bench {

std::vector<unsigned> ranks_of(const task_report& of) {
  std::vector<unsigned> ranks;
  const measurement* first = nullptr;  // of the rank
  unsigned rank = 0;
  unsigned place = 0;
  for (const measurement& line : of.lines) {
    if (!line.measured() || line.is_limit() || line.seconds.samples < fewest_to_rank) {
      ranks.push_back(0);
      continue;
    }
    ++place;
    const difference slower =
        first != nullptr ? compare(first->result.samples, line.result.samples) : difference{};
    if (first == nullptr || (slower.certain && slower.ratio > 1)) {
      first = &line;
      rank = place;
    }
    ranks.push_back(rank);
  }
  return ranks;
}

}  // namespace riffle::bench
