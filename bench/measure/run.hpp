/// A run: its plan, the rounds of each table, and the report that they give.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <optional>
#include <riffle/methods.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bench/contenders/registry.hpp"
#include "bench/data/report.hpp"
#include "bench/host/machine.hpp"
#include "bench/host/system.hpp"
#include "bench/inputs/inputs.hpp"
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

struct bench_options {
  std::vector<std::filesystem::path> files = {};  // empty: generated inputs
  std::vector<task> tasks = {};           // empty: all of them; on FILEs those that make sense on any file
  std::vector<std::uint64_t> sizes = {};  // bytes of each generated input, one after the other; empty: 64 MiB
  std::vector<cache_mode> caches = {cache_mode::hot};  // one after the other
  std::vector<std::string> contenders =
      {};                         // globs on "program/name" or "name"; empty: all. Limits always run
  contender_options varied = {};  // of riffle's contenders
  unsigned rounds = 50;           // the most timed runs of each contender
  double budget = 100;            // seconds for everything
  std::uint64_t seed = 1;
  std::optional<slow_storage> storage = {};  // that serves the inputs; nothing: the disk where they are
};

/// Gives the contenders of a task; tests give their own.
using registry = std::function<std::vector<contender>(task, const contender_options&)>;

/// One task on one input in one state of the cache.
struct planned_table {
  bench::task task{};
  std::string name = {};            // empty: the task's
  std::string title = {};           // likewise
  std::string base = {};            // as of the report
  std::optional<input> given = {};  // the user's files; nothing: an input is generated
  std::uint64_t size = 0;           // bytes of a generated input, as asked for
  std::size_t which = 0;            // of the inputs that are generated for the task
  cache_mode cache = cache_mode::hot;
  std::vector<contender> contenders = {};
  double share = 1;                                     // of the time, beside the other tables' shares
  std::optional<std::uint64_t> bytes = {};              // that speeds are of; nothing: the sizes of the files
  double pause = 0;                                     // seconds to idle before each run; 0: it is kept busy
  std::vector<std::filesystem::path> evicted_too = {};  // before cold runs, such as a device under the files
  bool left_as_written = false;                         // "written" leaves the page cache as it is
};

struct bench_plan {
  std::string title = "riffle bench";      // of the report
  std::vector<planned_table> tables = {};  // those on the same input follow each other
  unsigned rounds = 50;                    // the most timed runs of each contender
  double budget = 100;                     // seconds for all tables together
  bool time_of_each = false;               // the user gave each table's seconds, not those of all
  std::uint64_t seed = 1;
  std::optional<slow_storage> storage = {};
  bool stop_at_failure = false;  // of a command, or if outputs differ
};

/// Resolves tasks, inputs, states of the cache and contenders. A task that no contender asked for can do has
/// no table. Throws riffle::error for files that cannot be used, and std::invalid_argument for options that
/// do not go together and globs that match nothing.
bench_plan make_plan(const bench_options& options, const registry& contenders = contenders_of);

/// How the rounds of a table are run, if so many seconds are left for it and the tables behind it.
round_options rounds_of(const bench_plan& plan, std::size_t table, double seconds_left);

/// The contenders of the plan, task by task: id and one line about each, and where their programs come from.
std::string list_of_contenders(const bench_plan& plan);

/// Generates the inputs of a plan in turn, as tables ask for them, in a directory that exists. The files of
/// the input before are removed.
class planned_inputs {
 public:
  /// Once `interrupted` says so, inputs end early.
  explicit planned_inputs(std::filesystem::path directory, std::function<bool()> interrupted = {})
      : directory_(std::move(directory)), interrupted_(std::move(interrupted)) {}
  /// Whether the input of this table is there already.
  [[nodiscard]] bool is_ready(const planned_table& table) const;
  /// The input of a table. Valid until the next call. Throws riffle::error if it cannot be written.
  const input& of(const planned_table& table);

 private:
  std::filesystem::path directory_;
  std::function<bool()> interrupted_;
  std::vector<input> generated_;
  task task_{};
  std::uint64_t size_ = 0;
};

/// Of a longer file only the start is measured: more than any cache of the processor holds, and little enough
/// for many rounds in a few seconds.
inline constexpr std::uint64_t most_measured = std::uint64_t{256} << 20U;

/// One table: newlines counted by automatic, by each method that can read the file here, and by read and mmap
/// with other block sizes. `known`: the facts of the file. `seconds`: nothing leaves the time to its size.
/// Throws riffle::error for a file that cannot be measured.
bench_plan plan_advice(const std::filesystem::path& file, const facts& known, cache_mode cache,
                       std::optional<double> seconds);

/// The limits of this machine alone, for three seconds, on an input larger than any cache of the processor.
bench_plan plan_limits();

/// Returns the plan, whose contenders `race` runs. Throws std::invalid_argument, which names the field and
/// says what it must be, and riffle::error for files that cannot be used.
bench_plan plan_of_json(std::string_view text, const processes& race = {});

/// "2026-11-21T10:00:00Z"
std::string date_now();

/// Scans 64 KiB over and over for 2 ms. A processor that waited for storage, or for the page cache, is slower
/// at first, and by some SIMD kernels more than by others.
void keep_busy();

/// What a run needs of the outside. Tests give their own.
struct surroundings {
  round_hooks rounds = {.keep_busy =
                            bench::keep_busy};  // but for `prepare` and `tell`, which the run fills in
  std::function<machine(const std::filesystem::path&)> facts = this_machine;
  std::function<double()> load = load_of_others;
  std::function<double()> stolen_seconds = bench::stolen_seconds;
  std::function<std::string()> date = date_now;
  std::function<void(std::string_view)> progress = {};  // told what runs, in one line
  std::function<void(const report&)> begun = {};        // the facts are known, nothing is measured yet
  std::function<void(const report&)> measured = {};     // the last of its tasks is complete
};

/// Runs the plan. If it is interrupted, a state of the cache cannot be had or a file changes, it returns what
/// was measured until then, with the reason in `stopped_by`. The warnings are judged by others.
report run_bench(const bench_plan& plan, const surroundings& outside);

/// Why a report is not a success: each contender that failed or gave a wrong answer, as "task on input:
/// program/name ...". Empty: none.
std::vector<std::string> failures_of(const report& all);

}  // namespace riffle::bench
