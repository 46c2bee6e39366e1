/// What was measured, as plain data; every form of output is a function of it.
#ifndef RIFFLE_BENCH_DATA_REPORT_HPP
#define RIFFLE_BENCH_DATA_REPORT_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/data/cache_mode.hpp"
#include "bench/data/contender.hpp"
#include "bench/data/machine.hpp"
#include "bench/data/sample.hpp"

namespace riffle::bench {

/// The limit that binds a contender: the slowest of those that it cannot avoid.
struct binding_limit {
  limit_kind kind{};
  double seconds = 0;  // that the limit took for the same bytes
  friend bool operator==(const binding_limit&, const binding_limit&) = default;
};

/// One contender's result on one input.
struct measurement {
  std::string name = {};
  std::string program = {};
  bench::role role = role::published;
  std::string method = "automatic";
  std::string label = {};  // the name, with what was varied: "read 64K x2"; unique within program and report
  std::string description = {};
  std::optional<limit_kind> sets = {};  // the limit that it measured; nothing: it is no limit
  std::size_t block_size = 0;           // 0: its own choice, or it has none
  unsigned queue_depth = 0;             // likewise
  unsigned threads = 1;
  bench::result result = {};
  summary seconds = {};                     // of result.samples
  bench::usage usage = {};                  // the medians of result.samples
  std::optional<binding_limit> limit = {};  // nothing: it is a limit, or none was measured

  [[nodiscard]] bool measured() const { return result.outcome == outcome::measured && seconds.samples > 0; }
  [[nodiscard]] bool is_limit() const { return role == bench::role::limit; }
  /// limit seconds / own seconds, 0 to about 1; nothing without a limit.
  [[nodiscard]] std::optional<double> of_limit() const {
    if (!limit || seconds.median <= 0) return std::nullopt;
    return limit->seconds / seconds.median;
  }
  friend bool operator==(const measurement&, const measurement&) = default;
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
  friend bool operator==(const task_report&, const task_report&) = default;
};

/// A whole run of the benchmark.
struct report {
  std::string started = {};  // "2026-11-21T10:00:00Z"
  std::uint64_t seed = 0;
  machine facts = {};
  bench::limits limits = {};
  double tick_ns = 0;       // of the clock
  double load = 0;          // of others, as it began
  double stolen_share = 0;  // of the run's time, by the host
  bool complete = true;
  std::string stopped_by = {};  // why it is not complete: "interrupted", or a failure
  std::vector<task_report> tasks = {};
  friend bool operator==(const report&, const report&) = default;
};

/// What may make a result wrong, and what to do about it. One of a kind stands for all that it concerns.
struct warning {
  std::string name = {};  // for programs: "unsteady"
  std::vector<std::string> tasks = {};
  std::vector<std::string> inputs = {};
  std::vector<std::string> contenders = {};  // "gc riffle/read"
  std::string text = {};                     // one sentence: the problem
  std::string remedy = {};                   // one sentence
};

}  // namespace riffle::bench

#endif
