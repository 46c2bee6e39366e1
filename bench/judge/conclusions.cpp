/// Asks for each judgement once, and puts them together.
#include "bench/judge/conclusions.hpp"

#include "bench/judge/figures.hpp"
#include "bench/judge/ranks.hpp"
#include "bench/stats/samples.hpp"

namespace riffle::bench {

namespace {

std::vector<standing> standings_of(const task_report& table, const measurement* fastest) {
  std::vector<standing> standings;
  standings.reserve(table.lines.size());
  for (const unsigned rank : ranks_of(table)) standings.push_back({.rank = rank});
  for (std::size_t i = 0; i < standings.size(); ++i) {
    const measurement& line = table.lines[i];
    if (line.is_limit() || !line.measured() || &line == fastest) continue;
    standings[i].against_fastest = compare(fastest->result.samples, line.result.samples);
  }
  return standings;
}

}  // namespace

table_conclusions judge_table(const task_report& table) {
  const measurement* const fastest = best_of(table);
  table_conclusions found{
      .standings = standings_of(table, fastest), .verdict = verdict_of(table), .claims = check_claims(table)};
  if (fastest != nullptr) found.fastest = static_cast<std::size_t>(fastest - table.lines.data());
  return found;
}

}  // namespace riffle::bench
