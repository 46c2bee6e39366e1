/// Finds the warnings of a report. Several tasks, inputs and contenders share one warning of a kind.
#include "bench/judge/warnings.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "bench/judge/figures.hpp"

namespace riffle::bench {

namespace {

// Other programs on half of the processors take caches, memory bandwidth and clock boost from the benchmark,
// long before no processor is left for it.
constexpr double most_load = 0.5;  // for each processor
constexpr double most_stolen = 0.02;
constexpr double most_read = 0.01;  // of an input that is in the cache, from storage
// A device's speed varies from run to run, but not by so much.
constexpr double faster_than_device = 1.2;
// A few requests tell nothing about a device.
constexpr std::uint64_t least_for_device = std::uint64_t{8} << 20;
constexpr std::size_t fewest_rounds = 6;
constexpr double in_the_running_up_to = 4;  // times the best median

void add_once(std::vector<std::string>& list, std::string item) {
  if (std::ranges::find(list, item) == list.end()) list.push_back(std::move(item));
}

// "gc riffle/read"
std::string name_of(const task_report& table, const measurement& line) {
  return fmt::format("{} {}/{}", name_of(table.task), line.program, line.label);
}

// A contender that is several times slower than the best needs no fine figures.
bool in_the_running(const task_report& table, const measurement& line) {
  const measurement* const best = best_of(table);
  return line.measured() && !line.is_limit() && best != nullptr &&
         line.seconds.median <= in_the_running_up_to * best->seconds.median;
}

/// The warnings so far, in the order of their kinds.
class collection {
 public:
  explicit collection(const report& report) : report_(report) {
    look_at_machine();
    for (const task_report& table : report.tasks) look_at_size(table);
    for (const task_report& table : report.tasks) look_at_storage(table);
    for (const task_report& table : report.tasks) look_at_device(table);
    look_at_clock();
    for (const task_report& table : report.tasks) look_at_spread(table);
    for (const task_report& table : report.tasks) look_at_rounds(table);
  }

  std::vector<warning> all() && { return std::move(all_); }

 private:
  // The warning of that kind, made if there is none yet.
  template <class Kind>
  Kind& the() {
    for (warning& each : all_) {
      if (Kind* const found = std::get_if<Kind>(&each)) return *found;
    }
    return std::get<Kind>(all_.emplace_back(Kind{}));
  }

  void look_at_machine() {
    const machine& facts = report_.facts;
    const unsigned processors = std::max(facts.processors_online, 1U);
    if (report_.load > most_load * processors) all_.emplace_back(busy_machine{report_.load, processors});
    if (report_.stolen_share > most_stolen) all_.emplace_back(stolen_time{report_.stolen_share});
    // Virtual machines seldom have a governor: their host has it.
    if (!facts.governor.empty() && facts.governor != "performance")
      all_.emplace_back(frequency_scaling{facts.governor});
  }

  void look_at_size(const task_report& table) {
    const std::uint64_t available = report_.facts.memory_available;
    if (!is_cached(table.cache) || available == 0) return;
    if (static_cast<double>(table.bytes) <= most_cached * static_cast<double>(available)) return;
    auto& found = the<exceeds_cache>();
    add_once(found.inputs, table.input);
    found.bytes = std::max(found.bytes, table.bytes);
    found.available = available;
  }

  // A method that bypasses the cache reads from storage whatever the cache holds.
  void look_at_storage(const task_report& table) {
    if (!is_cached(table.cache)) return;
    for (const measurement& line : table.lines) {
      const method_info* const used = method_of(line.method);
      if (!in_the_running(table, line) || (used != nullptr && used->past_cache)) continue;
      if (line.usage.bytes_read <= most_read * static_cast<double>(table.bytes)) continue;
      add_once(the<not_cached>().inputs, table.input);
      add_once(the<not_cached>().contenders, name_of(table, line));
    }
  }

  void look_at_device(const task_report& table) {
    if (is_cached(table.cache) || table.bytes < least_for_device) return;
    const measurement* const best = best_of(table);
    const double device = device_of(table);
    if (best == nullptr || device <= 0) return;
    const double speed = gb_per_s(table, *best);
    if (speed <= faster_than_device * device) return;
    auto& found = the<host_cache>();
    add_once(found.inputs, table.input);
    if (speed <= found.gb_per_s) return;
    found.gb_per_s = speed;
    found.device_gb_per_s = device;
  }

  // 10^9 bytes a second, best as measured on this very input; 0: unknown.
  double device_of(const task_report& table) const {
    for (const measurement& line : table.lines) {
      if (line.sets == limit_kind::device && line.measured()) return gb_per_s(table, line);
    }
    return report_.limits.device.value_or(0) * 1e-9;
  }

  // Warns only of the shortest of all timed intervals.
  void look_at_clock() {
    double least = fewest_ticks * report_.tick_ns;
    std::string shortest;
    for (const task_report& table : report_.tasks) {
      for (const measurement& line : table.lines) {
        const double timed = line.seconds.median * line.result.runs_per_sample * 1e9;
        if (!line.measured() || timed >= least) continue;
        least = timed;
        shortest = name_of(table, line);
      }
    }
    if (!shortest.empty()) all_.emplace_back(coarse_clock{report_.tick_ns, shortest});
  }

  void look_at_spread(const task_report& table) {
    for (const measurement& line : table.lines) {
      if (!in_the_running(table, line) || line.seconds.mad <= most_deviation * line.seconds.median) continue;
      add_contender<unsteady>(table, line);
    }
  }

  void look_at_rounds(const task_report& table) {
    for (const measurement& line : table.lines) {
      if (!in_the_running(table, line)) continue;
      if (line.seconds.samples >= fewest_rounds && line.result.settled) continue;
      add_contender<too_few_rounds>(table, line);
    }
  }

  template <class Kind>
  void add_contender(const task_report& table, const measurement& line) {
    auto& found = the<Kind>();
    add_once(found.tasks, std::string(bench::name_of(table.task)));
    add_once(found.contenders, name_of(table, line));
  }

  const report& report_;
  std::vector<warning> all_;
};

}  // namespace

std::vector<warning> warnings_of(const report& report) {
  return collection(report).all();
}

}  // namespace riffle::bench
