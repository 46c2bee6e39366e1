/// One report with everything in it, for the tests of every form of output.
#ifndef RIFFLE_TESTS_SUPPORT_GIVEN_REPORT_HPP
#define RIFFLE_TESTS_SUPPORT_GIVEN_REPORT_HPP

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "bench/data/report.hpp"
#include "bench/judge/conclusions.hpp"
#include "bench/measure/measurements.hpp"
#include "bench/stats/samples.hpp"

namespace riffle::bench {

/// What follows from a report.
inline conclusions judge(const report& report) {
  conclusions all{.warnings = warnings_of(report)};
  for (const task_report& table : report.tasks) all.tables.push_back(judge_table(table));
  return all;
}

namespace given {

inline contender named(task which, const char* program, const char* name, const char* method,
                       std::size_t block_size = 0, unsigned threads = 1) {
  return {.task = which,
          .name = name,
          .program = program,
          .role = role_of_program(program),
          .method = method,
          .description = std::string("reads by ") + name,
          .run = {},
          .sets = role_of_program(program) == role::limit ? value_named<limit_kind>(name) : std::nullopt,
          .block_size = block_size,
          .threads = threads};
}

/// Twenty timed runs around `median` seconds, 1 % apart at most, with so many minor faults.
inline result took(double median, double minor_faults = 0) {
  result all{.answer = answer{42, 7}, .settled = true};
  for (unsigned round = 1; round <= 20; ++round) {
    const double off = (round % 3 - 1.0) / 100;  // -0.01, 0 or 0.01
    all.samples.push_back(
        {round, median * (1 + off), usage{median * 0.75, median * 0.25, minor_faults, 0, 1, 2, 0}});
  }
  return all;
}

/// Counting C and G in a made genome of 10^9 bytes, in the page cache: automatic 8 GB/s, read 5, getc 0.25.
inline task_report hot() {
  const std::vector<contender> contenders{named(task::gc, "nvwa", "getc", "stdio"),
                                          named(task::gc, "limit", "scan", "memory"),
                                          named(task::gc, "limit", "copy", "memory"),
                                          named(task::gc, "ioaccess", "mmap", "mmap"),
                                          named(task::gc, "riffle", "automatic", "automatic"),
                                          named(task::gc, "riffle", "mmap", "mmap"),
                                          named(task::gc, "riffle", "read", "read"),
                                          named(task::gc, "ioaccess", "read-64K", "read", 64 << 10),
                                          named(task::gc, "perl", "perl-tr", "process"),
                                          named(task::gc, "riffle", "uring", "uring"),
                                          named(task::gc, "ioaccess", "fread", "stdio")};
  std::vector<result> results{took(4),          took(0.1),        took(0.16),    took(0.25, 15300),
                              took(0.125, 480), took(0.125, 478), took(0.2, 70), took(0.21, 3),
                              result{},         result{},         result{}};
  results[8] = {.outcome = outcome::unavailable, .reason = "perl is not installed"};
  results[9] = {.outcome = outcome::failed, .reason = "cannot set up a ring: Operation not permitted"};
  results[10] = {.outcome = outcome::wrong,
                 .answer = answer{41, 7},
                 .reason = "gives count 41, sum 7, where limit/scan and 7 more give count 42, sum 7"};
  return {.task = task::gc,
          .input = "genome",
          .files = 1,
          .bytes = 1000000000,
          .made = true,
          .cache = cache_mode::hot,
          .faults_per_mib = 0.5,
          .lines = in_order(contenders, std::move(results), cache_mode::hot)};
}

/// The same with the cache empty, where the device binds and nothing differs.
inline task_report cold() {
  const std::vector<contender> contenders{
      named(task::gc, "limit", "scan", "memory"), named(task::gc, "limit", "device", "direct"),
      named(task::gc, "ioaccess", "mmap", "mmap"), named(task::gc, "riffle", "automatic", "automatic"),
      named(task::gc, "riffle", "read", "read")};
  return {.task = task::gc,
          .input = "genome",
          .files = 1,
          .bytes = 1000000000,
          .made = true,
          .cache = cache_mode::cold,
          .lines = in_order(contenders, {took(0.1), took(0.9), took(1), took(1), took(1)}, cache_mode::cold)};
}

/// One of three sizes, each with two block sizes of riffle's read and two threads.
inline task_report sized(std::uint64_t bytes) {
  const double seconds = static_cast<double>(bytes) * 2e-10 + 1e-6;
  const std::vector<contender> contenders{named(task::lines, "limit", "scan", "memory"),
                                          named(task::lines, "riffle", "automatic", "automatic"),
                                          named(task::lines, "riffle", "read", "read", 64 << 10),
                                          named(task::lines, "riffle", "read", "read", 1 << 20),
                                          named(task::lines, "riffle", "read", "read", 64 << 10, 2),
                                          named(task::lines, "nvwa", "ifstream-getline", "iostream")};
  return {.task = task::lines,
          .input = "text",
          .files = 1,
          .bytes = bytes,
          .made = true,
          .varies_size = true,
          .lines = in_order(contenders,
                            {took(seconds / 2), took(seconds), took(seconds * 1.5), took(seconds * 1.4),
                             took(seconds * 0.8), took(seconds * 6)},
                            cache_mode::hot)};
}

/// A contender as a line of `race`.
struct entry {
  const char* program;
  const char* name;
  const char* method;
  double seconds;
  double minor_faults = 0;
  std::size_t block_size = 0;
  unsigned threads = 1;
};

/// The task on one input of so many bytes, "input", raced by these.
inline task_report race(task which, const std::vector<entry>& entries, cache_mode cache = cache_mode::hot,
                        std::uint64_t bytes = 1000000000) {
  std::vector<contender> contenders;
  std::vector<result> results;
  for (const entry& each : entries) {
    contenders.push_back(named(which, each.program, each.name, each.method, each.block_size, each.threads));
    results.push_back(took(each.seconds, each.minor_faults));
  }
  return {.task = which,
          .input = "input",
          .files = 1,
          .bytes = bytes,
          .cache = cache,
          .lines = in_order(contenders, std::move(results), cache)};
}

/// The table as if it had ended after so many rounds.
inline void keep_rounds(measurement& line, std::size_t rounds) {
  line.result.samples.resize(std::min(rounds, line.result.samples.size()));
  line.seconds = summarise(seconds_of(line.result.samples));
}
inline void keep_rounds(task_report& table, std::size_t rounds) {
  for (measurement& line : table.lines) keep_rounds(line, rounds);
}

inline report everything() {
  return {.started = "2026-11-21T10:00:00Z",
          .seed = 42,
          .facts = {.processor = "Example Processor @ 2.50GHz",
                    .processors = 2,
                    .processors_online = 4,
                    .caches = {"L1d 32 KiB", "L2 1 MiB", "L3 35.8 MiB"},
                    .memory = std::uint64_t{24} << 30,
                    .memory_available = std::uint64_t{20} << 30,
                    .os_release = "Linux 6.18.0",
                    .mitigations = {"spectre_v2", "mds"},
                    .virtualisation = "KVM",
                    .governor = "powersave",
                    .file_system = "ext4",
                    .device = "vda (virtio)",
                    .read_ahead = 128 << 10,
                    .compiler = "g++ 12.2.0",
                    .flags = "-O3 -DNDEBUG",
                    .version = "0.1.0",
                    .active_kernel = "avx2 kernels"},
          .limits = {.ram_scan = 11e9, .ram_copy = 9e9, .device = 1.1e9},
          .tick_ns = 1,
          .load = 0.5,
          .stolen_share = 0.01,
          .tasks = {hot(), cold(), sized(4096), sized(1 << 20), sized(64 << 20)}};
}

/// What follows from a report, with these warnings.
inline conclusions concluded(const report& report, std::vector<warning> warnings) {
  conclusions all = judge(report);
  all.warnings = std::move(warnings);
  return all;
}

/// A warning that follows from `everything`, and one that does not.
inline std::vector<warning> two_warnings() {
  return {warnings_of({.facts = {.governor = "powersave"}}).at(0),
          {.name = "unsteady",
           .tasks = {"gc"},
           .inputs = {"genome"},
           .contenders = {"gc ioaccess/mmap"},
           .text = "1 contender varied by more than 10 %: gc ioaccess/mmap.",
           .remedy = "Compare their minima, or run them again on a quiet machine."}};
}

}  // namespace given

}  // namespace riffle::bench

#endif
