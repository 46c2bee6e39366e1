/// What was measured, as plain data; every form of output is a function of it.
#ifndef RIFFLE_BENCH_DATA_REPORT_HPP
#define RIFFLE_BENCH_DATA_REPORT_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/data/contender.hpp"
#include "bench/data/sample.hpp"
#include "bench/host/cache.hpp"
#include "bench/host/limits.hpp"
#include "bench/host/machine.hpp"
#include "bench/judge/warnings.hpp"
#include "bench/measure/rounds.hpp"

namespace riffle::bench {

/// The limit that binds a contender: the slowest of those that it cannot avoid.
struct binding_limit {
  std::string name;    // "scan", "copy" or "device", as the contender of program "limit" is called
  double seconds = 0;  // that the limit took for the same bytes
};

/// One contender's result on one input.
struct measurement {
  std::string name = {};
  std::string program = {};
  std::string method = {};
  std::string description = {};
  std::size_t block_size = 0;  // 0: its own choice, or it has none
  unsigned threads = 1;
  bench::result result = {};
  summary seconds = {};                     // of result.samples
  bench::usage usage = {};                  // the medians of result.samples
  std::optional<binding_limit> limit = {};  // nothing: it is a limit, or none was measured

  [[nodiscard]] bool measured() const { return result.outcome == outcome::measured && seconds.samples > 0; }
  [[nodiscard]] bool is_limit() const { return program == "limit"; }
  /// The name, with what was varied: "read", "read 64K", "read 64K x2". Unique within the program and report.
  [[nodiscard]] std::string label() const;
  /// limit seconds / own seconds, 0 to about 1; nothing without a limit.
  [[nodiscard]] std::optional<double> of_limit() const;
};

/// One task on one input in one state of the cache. `lines` are the limits first, then the measured ones from
/// the fastest to the slowest, then the others.
struct task_report {
  bench::task task{};
  std::string input = {};
  std::size_t files = 0;
  std::uint64_t bytes = 0;
  bool made = false;  // by us; false: the user's
  cache_mode cache = cache_mode::hot;
  std::optional<double> faults_per_mib = {};  // of a mapping walked page by page; see machine.hpp
  bool varies_size = false;                   // one of several sizes of the same input
  std::vector<measurement> lines = {};
};

/// A whole run of the benchmark.
struct report {
  std::string started = {};  // "2026-11-21T10:00:00Z"
  std::uint64_t seed = 0;
  machine facts = {};
  bench::limits limits = {};
  double tick_ns = 0;       // of the clock
  double load = 0;          // as it began
  double stolen_share = 0;  // of the run's time, by the host
  bool complete = true;
  std::string stopped_by = {};  // why it is not complete: "interrupted", or a failure
  std::vector<task_report> tasks = {};
  std::vector<warning> warnings = {};
};

/// Puts contenders and their results, which are in the same order, together in the report's order.
std::vector<measurement> in_order(const std::vector<contender>& contenders, std::vector<result> results,
                                  cache_mode cache);

/// 10^9 bytes a second; 0 when nothing was measured.
double gb_per_s(const task_report& of, const measurement& line);
/// The fastest measured line that is no limit; nullptr when there is none. Points into `of`.
const measurement* best_of(const task_report& of);
/// riffle's automatic choice with one thread and its own block size; the faster form where a task has two;
/// nullptr when it was not measured. Points into `of`.
const measurement* automatic_of(const task_report& of);

}  // namespace riffle::bench

#endif
