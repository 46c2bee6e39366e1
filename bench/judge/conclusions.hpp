/// The conclusions from a report, drawn once. Every output format shows the same ones.
#ifndef RIFFLE_BENCH_JUDGE_CONCLUSIONS_HPP
#define RIFFLE_BENCH_JUDGE_CONCLUSIONS_HPP

#include <cstddef>
#include <optional>
#include <vector>

#include "bench/data/report.hpp"
#include "bench/judge/claims.hpp"
#include "bench/judge/verdict.hpp"
#include "bench/stats/statistics.hpp"

namespace riffle::bench {

/// Where a contender stands in its table.
struct standing {
  unsigned rank = 0;  // 0: a limit, not measured, or not told from others
  /// How many times as long as the fastest contender it takes.
  /// Nothing: a limit, not measured, or the fastest itself.
  std::optional<difference> against_fastest = {};
};

/// What one table shows.
struct table_conclusions {
  std::vector<standing> standings = {};     // one for each of `lines`, in their order
  std::optional<std::size_t> fastest = {};  // its place in `lines`; nothing: no contender was measured
  bench::verdict verdict = {};
  std::vector<checked_claim> claims = {};  // published figures about two contenders of this table
};

struct conclusions {
  std::vector<table_conclusions> tables = {};  // one for each of the report's `tasks`, in their order
  std::vector<warning> warnings = {};
};

/// What a table shows by itself, whatever else was measured.
table_conclusions judge_table(const task_report& table);
/// The warnings of a report, at most one of each kind. docs/methodology.md says what each means.
std::vector<warning> warnings_of(const report& report);

}  // namespace riffle::bench

#endif
