/// Times contenders in interleaved rounds, so that a machine that slows down slows all of them, and checks
/// each answer against the others.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/data/contender.hpp"
#include "bench/data/report.hpp"
#include "bench/host/usage.hpp"
#include "bench/stats/statistics.hpp"

namespace riffle::bench {

/// Returns what a report says of a failure: without a remedy, which is for a program that reads.
std::string reason_of(const std::exception& failure);

struct round_options {
  unsigned rounds = 50;     // the most timed rounds; at least 1
  double budget = 1e9;      // seconds; see run_rounds
  std::uint64_t seed = 1;   // of the order within each round
  unsigned fewest = 3;      // timed runs that each contender gets, until 1.5 times the budget; then one
  double precision = 0.02;  // narrow: an interval within so much of the median, on either side
  unsigned enough = rounds_to_judge;  // timed runs, once the 99 % interval is narrow
  double counts_at_once = 0.1;        // seconds; a first run so long counts: what it warms up is worth less
  double shortest = 1e-3;  // seconds; shorter runs are timed several together. 0: never, as for cold files
  bool stop_at_failure = false;  // who fails or gives another answer ends the rounds
};

/// What the rounds need of the outside. Tests give their own.
struct round_hooks {
  clock now = steady_now;
  meter used = os::usage_so_far;
  // Before each run: brings the page cache into its state. Throws if that fails, or if a file
  // changed; asked too before a contender is blamed for another answer.
  std::function<void()> prepare = {};
  // Between `prepare` and each run: works, so that no run starts on a processor that idled.
  std::function<void()> keep_busy = {};
  std::function<bool()> interrupted = {};  // true: stop and return what there is
  // Told before each run: who, in which round (0 is the first run), and the seconds that are left.
  std::function<void(const contender&, unsigned round, double seconds_left)> tell = {};
};

/// What was measured, and what `prepare` threw, which ends the rounds early; empty: nothing.
struct raced {
  std::vector<result> results = {};
  double round_seconds = 0;  // what a round of all takes, with all that happens before each run
  std::exception_ptr stopped_by = {};
};

/// Runs every contender once to warm up, then in rounds, each in an order of its own that the seed gives.
/// Returns one result per contender, in the order of `contenders`. One that throws is `failed` with its
/// message, one that gives another answer than most, or than it gave before, is `wrong`, with both answers;
/// they take no further part.
///
/// Everyone takes part in each round, but as long as the rounds that a judgement needs do not fit into the
/// time that is left, the published contender that costs most takes part half as often. Everybody gets
/// `fewest` runs. The rounds end once all have enough, or the budget is spent; riffle's then still get
/// `enough` runs, unless that takes half the budget.
raced run_rounds(const std::vector<contender>& contenders, input_files files, const round_options& options,
                 const round_hooks& hooks);

// ---- what the rounds gave becomes the lines of a report: labelled, bound by their limits, in order

/// The name with what was varied: "read", "read 64K", "read 64K x2". Published programs name their block size
/// themselves, if they vary it.
std::string label_of(std::string_view name, role part, std::size_t block_size, unsigned threads);

/// Puts contenders and their results, which are in the same order, together in the report's order.
std::vector<measurement> in_order(const std::vector<contender>& contenders, std::vector<result> results,
                                  cache_mode cache);

/// The fastest of each kind of limit with one thread, over all tables.
limits limits_of(const std::vector<task_report>& tables);

}  // namespace riffle::bench
