/// The rows of a table with what follows from their figures, for the forms that programs read.
#ifndef RIFFLE_BENCH_SHOW_ROWS_HPP
#define RIFFLE_BENCH_SHOW_ROWS_HPP

#include "bench/data/fields.hpp"
#include "bench/judge/figures.hpp"

namespace riffle::bench {

using const_row = result_row<const task_report, const measurement>;

/// Calls `visit` with each row of a table, in their order.
template <class Visit>
void each_row(const task_report& table, Visit visit) {
  for (const measurement& line : table.lines) {
    const double speed = gb_per_s(table, line);
    visit(
        const_row{.table = table, .line = line, .gb_per_s = speed > 0 ? std::optional(speed) : std::nullopt});
  }
}

}  // namespace riffle::bench

#endif
