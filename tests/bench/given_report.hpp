/// One report with everything in it, for the tests of every form of output.
#pragma once

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "bench/data/report.hpp"
#include "bench/judge/conclusions.hpp"
#include "bench/measure/run.hpp"
#include "bench/stats/statistics.hpp"

namespace riffle::bench {

/// What follows from a report.
inline conclusions judge(const report& report) {
  conclusions all{.warnings = warnings_of(report)};
  for (const task_report& table : report.tasks) all.tables.push_back(judge_table(table));
  return all;
}

namespace given {

/// `given` with a change.
template <class Given, class Change>
Given but(Given given, Change change) {
  change(given);
  return given;
}

inline role role_of(std::string_view program) {
  if (program == "limit") return role::limit;
  if (program == "command") return role::command;
  return program == "riffle" ? role::riffle : role::published;
}

inline contender named(task which, const std::string& program, const std::string& name,
                       const std::string& method, std::size_t block_size = 0, unsigned threads = 1) {
  return {.task = which,
          .name = name,
          .program = program,
          .role = role_of(program),
          .method = method,
          .description = "reads by " + name,
          .run = {},
          .sets = role_of(program) == role::limit ? value_named<limit_kind>(name) : std::nullopt,
          .block_size = block_size,
          .threads = threads};
}

/// Twenty timed runs around `median` seconds, 1 % apart at most, with so many minor faults.
inline result took(double median, double minor_faults = 0) {
  result all{.answer = answer{42, 7}, .settled = true};
  for (unsigned round = 1; round <= 20; ++round) {
    const double off = (round % 3 - 1.0) / 100;  // -0.01, 0 or 0.01
    all.samples.push_back(
        {round, median * (1 + off), usage{median * 0.75, median * 0.25, minor_faults, 0, 0}});
  }
  return all;
}

/// A contender as a line of `race`. One with a reason was not measured.
struct entry {
  std::string program;
  std::string name;
  std::string method;
  double seconds = 0;
  double minor_faults = 0;
  std::size_t block_size = 0;
  unsigned threads = 1;
  bench::outcome outcome = outcome::measured;
  std::string reason = {};
};

/// The task on one input of so many bytes, "input", raced by these.
inline task_report race(task which, const std::vector<entry>& entries, cache_mode cache = cache_mode::hot,
                        std::uint64_t bytes = 1000000000) {
  std::vector<contender> contenders;
  std::vector<result> results;
  for (const entry& each : entries) {
    contenders.push_back(named(which, each.program, each.name, each.method, each.block_size, each.threads));
    results.push_back(took(each.seconds, each.minor_faults));
    if (each.outcome == outcome::measured) continue;
    results.back() = {.outcome = each.outcome, .reason = each.reason};
    if (each.outcome == outcome::wrong) results.back().answer = answer{41, 7};
  }
  return {.task = which,
          .name = std::string(bench::name_of(which)),
          .title = std::string(description_of(which)),
          .input = "input",
          .files = 1,
          .bytes = bytes,
          .cache = cache,
          .lines = in_order(contenders, std::move(results), cache)};
}

/// The same, of "limit/scan 0.1, riffle/read-64K 0.25 480 b65536 x2": seconds, minor faults, block size,
/// threads. The method is the name up to its '-'.
inline task_report race(task which, const char* text, cache_mode cache = cache_mode::hot,
                        std::uint64_t bytes = 1000000000) {
  std::vector<entry> entries;
  std::istringstream in(text);
  for (std::string part; std::getline(in >> std::ws, part, ',');) {
    std::istringstream words(part);
    std::string id;
    entry one;
    words >> id >> one.seconds;
    one.program = id.substr(0, id.find('/'));
    one.name = id.substr(id.find('/') + 1);
    one.method = one.name.substr(0, one.name.find('-'));
    if (one.program == "limit") one.method = one.name == "device" ? "direct" : "memory";
    for (std::string word; words >> word;) {
      if (word[0] == 'x')
        one.threads = static_cast<unsigned>(std::stoul(word.substr(1)));
      else if (word[0] == 'b')
        one.block_size = std::stoul(word.substr(1));
      else
        one.minor_faults = std::stod(word);
    }
    entries.push_back(one);
  }
  return race(which, entries, cache, bytes);
}

/// The table on an input that is made, of this name.
inline task_report on(const char* input, task_report table) {
  table.input = input;
  table.made = true;
  return table;
}

/// Counting C and G in a made genome of 10^9 bytes, in the page cache: automatic 8 GB/s, read 5, getc 0.25.
inline task_report hot() {
  task_report table = race(
      task::gc, {{"nvwa", "getc", "stdio", 4},
                 {"limit", "scan", "memory", 0.1},
                 {"limit", "copy", "memory", 0.16},
                 {"ioaccess", "mmap", "mmap", 0.25, 15300},
                 {"riffle", "automatic", "automatic", 0.125, 480},
                 {"riffle", "mmap", "mmap", 0.125, 478},
                 {"riffle", "read", "read", 0.2, 70},
                 {"ioaccess", "read-64K", "read", 0.21, 3, 64 << 10},
                 {"perl", "perl-tr", "process", 0, 0, 0, 1, outcome::unavailable, "perl is not installed"},
                 {"riffle", "uring", "uring", 0, 0, 0, 1, outcome::failed,
                  "cannot set up a ring: Operation not permitted"},
                 {"ioaccess", "fread", "stdio", 0, 0, 0, 1, outcome::wrong,
                  "gives count 41, sum 7, where limit/scan and 7 more give count 42, sum 7"}});
  table.faults_per_mib = 0.5;
  return on("genome", std::move(table));
}

/// The same with the cache empty, where the device binds and nothing differs.
inline task_report cold() {
  return on("genome", race(task::gc,
                           {{"limit", "scan", "memory", 0.1},
                            {"limit", "device", "direct", 0.9},
                            {"ioaccess", "mmap", "mmap", 1},
                            {"riffle", "automatic", "automatic", 1},
                            {"riffle", "read", "read", 1}},
                           cache_mode::cold));
}

/// One of three sizes, each with two block sizes of riffle's read and two threads.
inline task_report sized(std::uint64_t bytes) {
  const double seconds = static_cast<double>(bytes) * 2e-10 + 1e-6;
  return on("text", race(task::lines,
                         {{"limit", "scan", "memory", seconds / 2},
                          {"riffle", "automatic", "automatic", seconds},
                          {"riffle", "read", "read", seconds * 1.5, 0, 64 << 10},
                          {"riffle", "read", "read", seconds * 1.4, 0, 1 << 20},
                          {"riffle", "read", "read", seconds * 0.8, 0, 64 << 10, 2},
                          {"nvwa", "ifstream-getline", "iostream", seconds * 6}},
                         cache_mode::hot, bytes));
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
                    .memory_available = std::uint64_t{20} << 30,
                    .os_release = "Linux 6.18.0",
                    .governor = "powersave",
                    .file_system = "ext4",
                    .device = "vda (virtio)",
                    .read_ahead = 128 << 10,
                    .compiler = "g++ 12.2.0",
                    .flags = "-O3 -DNDEBUG",
                    .version = "0.1.0",
                    .active_kernel = "avx2 kernels"},
          .limits = {.ram_scan = 11e9, .ram_copy = 9e9, .device = 1.1e9},
          .load = 0.5,
          .stolen_share = 0.01,
          .tasks = {hot(), cold(), sized(4096), sized(1 << 20), sized(64 << 20)}};
}

/// Nine rounds whose figures are exact in binary: median 0.5, from 0.25 to 0.75, deviation 0.125.
inline report exact() {
  result measured{.answer = answer{42, 7}, .settled = true, .runs_per_sample = 2};
  for (unsigned round = 1; round <= 9; ++round) {
    measured.samples.push_back({round, 0.1875 + round * 0.0625, usage{0.25, 0.125, 480, 1, 4096}});
  }
  result limit = measured;
  for (sample& each : limit.samples) each.seconds /= 2;
  const std::vector<contender> contenders{named(task::gc, "limit", "scan", "memory"),
                                          named(task::gc, "riffle", "mmap", "mmap", 1 << 20),
                                          named(task::gc, "perl", "perl-tr", "process")};
  const result missing{.outcome = outcome::unavailable, .reason = "perl, \"5\", is not installed"};
  return {.tasks = {{.task = task::gc,
                     .name = "gc",
                     .title = "count c, C, g and G",
                     .input = "a,b.txt",
                     .files = 2,
                     .bytes = 1000000000,
                     .faults_per_mib = 0.5,
                     .lines = in_order(contenders, {limit, measured, missing}, cache_mode::hot)}}};
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
