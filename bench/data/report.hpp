/// What was measured, as plain data; every form of output is a function of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/data/contender.hpp"
#include "bench/data/task.hpp"

namespace riffle::bench {

/// Text is empty, and numbers 0, if the OS does not tell.
struct machine {
  std::string processor = {};
  unsigned processors = 0;               // that this process may run on
  unsigned processors_online = 0;        // of the machine
  std::vector<std::string> caches = {};  // "L1d 32 KiB", "L2 1 MiB", "L3 35.8 MiB"
  std::uint64_t memory_available = 0;    // bytes, as the run began
  std::string os_release = {};           // "Linux 6.18.0"
  std::string governor = {};             // of the processor's frequency: "performance"
  std::string file_system = {};          // that holds the input: "ext4"
  std::string device = {};               // the block device: "vda (virtio, not rotational)"
  std::uint64_t read_ahead = 0;          // bytes
  std::string compiler = {};             // "g++ 12.2.0"
  std::string flags = {};                // that riffle was compiled with: "-O3 -DNDEBUG"
  std::string version = {};              // of riffle
  std::string active_kernel = {};        // "avx2 kernels": the SIMD kernels that riffle uses
};

/// What the machine can do at most with one thread, by the limits of all rounds; nothing if it was not
/// measured.
struct limits {
  std::optional<double> ram_scan = {};  // bytes a second: memory that is mapped, read once
  std::optional<double> ram_copy = {};  // bytes a second: memory copied into a buffer that stays in the cache
  std::optional<double> device = {};    // bytes a second: O_DIRECT, by the best of several deep queues
};

/// The limit that binds a contender: the slowest of those that it cannot avoid.
struct binding_limit {
  limit_kind kind{};
  double seconds = 0;  // that the limit took for the same bytes
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
  double wanted = 0;  // as of the contender
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
};

/// One task on one input in one state of the cache. `lines` are the limits first, then the measured ones from
/// the fastest to the slowest, then the others.
struct task_report {
  bench::task task{};
  std::string name = {};     // "gc", "newlines"
  std::string title = {};    // what is done: "count newlines"
  std::string base = {};     // the label of the contender that a plan compares the others with; empty: none
  double round_seconds = 0;  // what a round of all contenders takes; 0: unknown
  std::string input = {};
  std::size_t files = 0;
  std::uint64_t bytes = 0;
  bool made = false;  // by us; false: the user's
  cache_mode cache = cache_mode::hot;
  std::optional<double> faults_per_mib = {};  // of a mapping walked page by page; see machine.hpp
  std::vector<measurement> lines = {};
};

/// 10^9 bytes a second; 0 if nothing was measured.
inline double gb_per_s(const task_report& table, const measurement& line) {
  return line.seconds.median > 0 ? static_cast<double>(table.bytes) * 1e-9 / line.seconds.median : 0;
}

/// Returns whether there are many files, and to open them takes longer than to read them.
inline bool has_small_files(const task_report& table) {
  constexpr std::size_t many = 100;
  constexpr std::uint64_t small = 16 << 10;
  return table.files >= many && table.bytes / table.files < small;
}

/// What a table compares: 10^9 bytes a second; of many small files, files a second; without files, runs.
inline double speed_of(const task_report& table, const measurement& line) {
  const double runs = line.seconds.median > 0 ? 1 / line.seconds.median : 0;
  if (has_small_files(table)) return static_cast<double>(table.files) * runs;
  return table.bytes > 0 ? gb_per_s(table, line) : runs;
}
inline std::string_view speed_unit_of(const task_report& table) {
  if (has_small_files(table)) return "files/s";
  return table.bytes > 0 ? "GB/s" : "runs/s";
}

/// A whole run of the benchmark.
struct report {
  std::string title = "riffle bench";
  std::string started = {};  // "2026-11-21T10:00:00Z"
  std::uint64_t seed = 0;
  machine facts = {};
  bench::limits limits = {};
  double load = 0;          // of others, as it began
  double stolen_share = 0;  // of the run's time, by the host
  bool complete = true;
  std::string stopped_by = {};  // why it is not complete: "interrupted", or a failure
  std::vector<task_report> tasks = {};
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
