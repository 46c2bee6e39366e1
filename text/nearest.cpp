/// Compares words letter by letter, in three rows of the usual table.
#include "text/nearest.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

namespace riffle::text {

std::size_t distance(std::string_view from, std::string_view to) {
  std::array<std::vector<std::size_t>, 3> rows;
  rows.fill(std::vector<std::size_t>(to.size() + 1));
  auto& [before, last, now] = rows;
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= from.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const bool same = from[i - 1] == to[j - 1];
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(now);
  }
  return last.back();
}

std::string nearest(std::string_view word, std::span<const std::string> names) {
  std::pair<std::size_t, std::string> best{word.size(), ""};
  for (const std::string& name : names) {
    const std::size_t longer = std::max(word.size(), name.size());
    const std::size_t surplus = longer - std::min(word.size(), name.size());
    if (3 * surplus > longer) continue;
    const std::size_t away = distance(word, name);
    if (3 * away <= longer && away < best.first) best = {away, name};
  }
  return best.second;
}

}  // namespace riffle::text
