/// Finds lines in a table, which has the limits first and then the fastest.
#include "bench/judge/figures.hpp"

#include <algorithm>

namespace riffle::bench {

namespace {

bool competes(const measurement& line) {
  return line.measured() && !line.is_limit();
}

}  // namespace

double gb_per_s(const task_report& table, const measurement& line) {
  return line.seconds.median > 0 ? static_cast<double>(table.bytes) * 1e-9 / line.seconds.median : 0;
}

const measurement* best_of(const task_report& table) {
  const auto found = std::ranges::find_if(table.lines, competes);
  return found == table.lines.end() ? nullptr : &*found;
}

const measurement* automatic_of(const task_report& table) {
  const auto found = std::ranges::find_if(table.lines, [](const measurement& line) {
    return competes(line) && line.role == role::riffle && line.method == "automatic" &&
           line.block_size == 0 && line.threads == 1;
  });
  return found == table.lines.end() ? nullptr : &*found;
}

}  // namespace riffle::bench
