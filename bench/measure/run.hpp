/// The benchmark as one call: options and the outside world in, a report out.
#ifndef RIFFLE_BENCH_MEASURE_RUN_HPP
#define RIFFLE_BENCH_MEASURE_RUN_HPP

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/contenders/registry.hpp"
#include "bench/data/report.hpp"
#include "bench/host/limits.hpp"
#include "bench/host/machine.hpp"
#include "bench/measure/rounds.hpp"

namespace riffle::bench {

struct bench_options {
  std::vector<std::filesystem::path> files = {};  // empty: made inputs
  std::vector<task> tasks = {};           // empty: all of them; on FILEs those that make sense on any file
  std::vector<std::uint64_t> sizes = {};  // bytes of each made input, one after the other; empty: 64 MiB
  std::vector<cache_mode> caches = {cache_mode::hot};  // one after the other
  std::vector<std::string> contenders =
      {};                         // globs on "program/name" or "name"; empty: all. Limits always run
  contender_options varied = {};  // of riffle's own rows
  unsigned rounds = 50;           // the most timed runs of each contender
  double budget = 100;            // seconds for everything
  std::uint64_t seed = 1;
};

/// "2026-11-21T10:00:00Z"
std::string date_now();

/// What a run needs of the outside. Tests give their own.
struct surroundings {
  round_hooks rounds = {};  // but for `prepare` and `tell`, which the run fills in
  std::function<std::vector<contender>(task, const contender_options&)> contenders = contenders_of;
  std::function<machine(const std::filesystem::path&)> facts = this_machine;
  std::function<bench::conditions()> conditions = conditions_now;
  std::function<bench::limits(const std::filesystem::path&, const clock&)> limits =
      {};  // empty: not measured
  std::function<std::string()> date = date_now;
  std::function<void(std::string_view)> progress = {};  // told what runs, in one line
  std::function<void(const report&)> begun = {};        // the facts are known, nothing is measured yet
  std::function<void(const report&)> measured = {};     // the last of its tasks is complete
};

/// Runs the benchmark. Where it is interrupted, a state of the cache cannot be had or a file changes, it
/// returns what was measured until then, with the reason in `stopped_by`. Throws riffle::error for files that
/// cannot be used and std::invalid_argument for options that do not go together and globs that match nothing,
/// both before anything is measured.
report run_bench(const bench_options& options, const surroundings& outside);

/// How many tables that will be: each task that one of the contenders can do, on each of its inputs, in each
/// size and state of the cache.
std::size_t tables_of(const bench_options& options);

/// From now on SIGINT, SIGTERM and SIGHUP do not end the program but are noted: returns whether there was
/// one. Another one, a second or more later, does.
std::function<bool()> note_interrupts();

/// Why a report is not a success: each contender that failed or gave a wrong answer, as
/// "task on input: program/name ...". Empty: none.
std::vector<std::string> failures_of(const report& all);

/// Every contender of the tasks (empty: all): its task, id, where it comes from and one line about it.
std::string list_of_contenders(const std::vector<task>& tasks, const contender_options& options);

}  // namespace riffle::bench

#endif
