/// Ranks contenders from the fastest down, by pairs that differ beyond the noise.
#include "bench/judge/ranks.hpp"

#include "bench/stats/samples.hpp"

namespace riffle::bench {

std::vector<unsigned> ranks_of(const task_report& table) {
  std::vector<unsigned> ranks(table.lines.size(), 0);
  std::size_t first = table.lines.size();  // of the rank; the size: none yet
  unsigned rank = 0;
  unsigned place = 0;
  for (std::size_t i = 0; i < table.lines.size(); ++i) {
    const measurement& line = table.lines[i];
    if (!line.measured() || line.is_limit()) continue;
    ++place;
    if (line.seconds.samples < fewest_to_rank) continue;
    const bool leads = first == table.lines.size();
    const difference slower =
        leads ? difference{} : compare(table.lines[first].result.samples, line.result.samples);
    if (leads || (slower.certain && slower.ratio > 1)) {
      first = i;
      rank = place;
      ranks[i] = rank;
    } else if (slower.enough_rounds()) {
      ranks[i] = rank;
    } else if (table.lines[first].seconds.samples < rounds_to_judge) {
      ranks[first] = 0;  // it cannot be told from this one, and not for want of this one's rounds alone
    }
  }
  return ranks;
}

}  // namespace riffle::bench
