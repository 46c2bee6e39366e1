/// The plan of a run, resolved once: the list, the announcement and the run read the same plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <riffle/methods.hpp>
#include <string>
#include <vector>

#include "bench/contenders/registry.hpp"
#include "bench/data/task.hpp"
#include "bench/host/slow_storage.hpp"
#include "bench/inputs/inputs.hpp"
#include "bench/measure/rounds.hpp"

namespace riffle::bench {

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

}  // namespace riffle::bench
