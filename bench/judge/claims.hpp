/// Sets each published ratio beside the same two contenders here: whether it holds, and if not, why.
#ifndef RIFFLE_BENCH_JUDGE_CLAIMS_HPP
#define RIFFLE_BENCH_JUDGE_CLAIMS_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bench/data/report.hpp"
#include "bench/judge/published.hpp"
#include "bench/stats/statistics.hpp"

namespace riffle::bench {

/// Whether a published ratio holds here. `more`, `less`: over 1.5 times as large or small. `open`: too few
/// rounds.
enum class holding : std::uint8_t { yes, more, less, no, reversed, open };
/// "yes", "by more", "by less", "no", "reversed" or "too few rounds".
std::string_view in_words(holding how) noexcept;

/// A figure of a table, with its contender and its base as they were measured here.
struct checked_claim {
  const published_table* table;
  const published_figure* figure;
  range times;      // as fast as the base, as published; 0: not published, there is nothing to judge
  difference here;  // `ratio` is times as fast
  holding how = holding::open;
};

/// The measured line of that "program/name", of one thread; nullptr if there is none. Points into `table`.
const measurement* measured_line(const task_report& table, std::string_view id);

/// Whether the published ratio holds, by what was measured.
holding hold(const range& published, const difference& here);

/// The figures of one published table of which the contender and its base were both measured.
std::vector<checked_claim> check_figures(const published_table& published, const task_report& table);

/// The published ratios of two contenders of this report that were measured on as many files: one, or many.
std::vector<checked_claim> check_claims(const task_report& table);

/// Why a ratio is another one here, by what the processor was charged for: ": 2.00 ms longer, 75 % of that in
/// the OS kernel, for page faults (1,030 against 8)". Empty if it is not known.
std::string cause_of(const checked_claim& claim, const task_report& table);

/// User and system seconds of a run: their mean, as many systems count them in ticks longer than a run.
struct processor_seconds {
  double user = 0;
  double system = 0;
};
processor_seconds mean_processor_seconds(const measurement& line);

}  // namespace riffle::bench

#endif
