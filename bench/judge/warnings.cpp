/// Finds the warnings of a report, a function for each kind. Several tasks, inputs and contenders share one.
#include "bench/judge/conclusions.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

// Other programs on half of the processors take caches, memory bandwidth and clock boost from the benchmark,
// long before no processor is left for it.
constexpr double most_load = 0.5;  // for each processor
constexpr double most_stolen = 0.02;
// An input may fill so much of the free memory: the contenders need memory too, and the OS kernel evicts
// before it is full.
constexpr double most_cached = 0.75;
constexpr double most_read = 0.01;  // of an input that is in the cache, from storage
// A device's speed varies from run to run, but not by so much.
constexpr double faster_than_device = 1.2;
// A few requests tell nothing about a device.
constexpr std::uint64_t least_for_device = std::uint64_t{8} << 20;
constexpr double most_deviation = 0.1;      // the median absolute deviation, as a fraction of the median
constexpr std::size_t fewest_rounds = 6;    // fewer give no interval
constexpr double in_the_running_up_to = 4;  // times the best median

using found_warning = std::optional<warning>;

void add_once(std::vector<std::string>& list, std::string_view item) {
  if (std::ranges::find(list, item) == list.end()) list.emplace_back(item);
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

bool is_measured(const task_report& /*table*/, const measurement& line) {
  return line.measured();
}

// The contenders in the running, or others, of which `holds` is true.
template <class Holds>
warning concerned(const report& all, const char* name, Holds holds,
                  bool (*among)(const task_report&, const measurement&) = in_the_running) {
  warning found{.name = name};
  for (const task_report& table : all.tasks) {
    for (const measurement& line : table.lines) {
      if (!among(table, line) || !holds(table, line)) continue;
      add_once(found.tasks, name_of(table.task));
      add_once(found.inputs, table.input);
      add_once(found.contenders, name_of(table, line));
    }
  }
  return found;
}

// "3 contenders" or "3 contenders in 2 tasks (gc, lines)"
std::string contenders_in(const warning& found) {
  std::string text = counted(found.contenders.size(), "contender");
  if (found.tasks.size() > 1)
    text += fmt::format(" in {} tasks ({})", found.tasks.size(), first_few(found.tasks));
  return text;
}

// "genome was" or "genome, text were"
std::string inputs_in(const warning& found, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", first_few(found.inputs), found.inputs.size() == 1 ? one : several);
}

found_warning busy_machine(const report& all) {
  const unsigned processors = std::max(all.facts.processors_online, 1U);
  if (all.load <= most_load * processors) return std::nullopt;
  return warning{.name = "busy_machine",
                 .text = fmt::format("The machine was busy: its load was {:.1f} on {} when the run began.",
                                     all.load, counted(processors, "processor")),
                 .remedy = "Stop other programs and run it again, or go by the 95 % intervals."};
}

found_warning stolen_time(const report& all) {
  if (all.stolen_share <= most_stolen) return std::nullopt;
  return warning{
      .name = "stolen_time",
      .text = fmt::format("The host gave {:.1f} % of this machine's time to others during the run.",
                          100 * all.stolen_share),
      .remedy = "Run it again at another time, or on a machine of your own."};
}

// Virtual machines seldom have a governor: their host has it.
found_warning frequency_scaling(const report& all) {
  const std::string& governor = all.facts.governor;
  if (governor.empty() || governor == "performance") return std::nullopt;
  return warning{
      .name = "frequency_scaling",
      .text = fmt::format("The processor may change its frequency between two runs: its governor is {}.",
                          governor),
      .remedy = "As root: cpupower frequency-set -g performance"};
}

found_warning exceeds_cache(const report& all) {
  warning found{.name = "exceeds_cache"};
  const std::uint64_t available = all.facts.memory_available;
  const double most = most_cached * static_cast<double>(available);
  std::uint64_t bytes = 0;
  for (const task_report& table : all.tasks) {
    if (!is_cached(table.cache) || available == 0 || static_cast<double>(table.bytes) <= most) continue;
    add_once(found.inputs, table.input);
    bytes = std::max(bytes, table.bytes);
  }
  if (found.inputs.empty()) return std::nullopt;
  found.text =
      fmt::format("{} {}, too much to cache in {} of free memory.", inputs_in(found, "has", "have up to"),
                  text::human_size(bytes), text::human_size(available));
  found.remedy =
      fmt::format("Use less than {} (--size for generated inputs), or measure it with --cache cold.",
                  text::human_size(static_cast<std::uint64_t>(most)));
  return found;
}

// A method that bypasses the cache reads from storage whatever the cache holds.
found_warning not_cached(const report& all) {
  warning found = concerned(all, "not_cached", [](const task_report& table, const measurement& line) {
    const method_info* const used = method_of(line.method);
    return is_cached(table.cache) && table.bytes > 0 && (used == nullptr || !used->past_cache) &&
           line.usage.bytes_read > most_read * static_cast<double>(table.bytes);
  });
  if (found.contenders.empty()) return std::nullopt;
  found.text = fmt::format("{} evicted from the page cache during the measurement: {} read from storage.",
                           inputs_in(found, "was", "were"), first_few(found.contenders));
  found.remedy =
      "Close programs that need much memory, use a smaller input, or measure it with --cache cold.";
  return found;
}

// 10^9 bytes a second, best as measured on this very input; 0: unknown.
double device_of(const report& all, const task_report& table) {
  for (const measurement& line : table.lines) {
    if (line.sets == limit_kind::device && line.measured()) return gb_per_s(table, line);
  }
  return all.limits.device.value_or(0) * 1e-9;
}

found_warning host_cache(const report& all) {
  warning found{.name = "host_cache"};
  double fastest = 0;
  double of_device = 0;
  for (const task_report& table : all.tasks) {
    const measurement* const best = best_of(table);
    if (is_cached(table.cache) || table.bytes < least_for_device || best == nullptr) continue;
    const double device = device_of(all, table);
    const double speed = gb_per_s(table, *best);
    if (device <= 0 || speed <= faster_than_device * device) continue;
    add_once(found.inputs, table.input);
    if (speed > fastest) of_device = device;
    fastest = std::max(fastest, speed);
  }
  if (found.inputs.empty()) return std::nullopt;
  found.text = fmt::format(
      "{} {} GB/s with a cold cache, from a device that gives {}: the bytes came from a cache of the host or "
      "of the controller.",
      inputs_in(found, "was read at", "were read at up to"), text::short_number(fastest),
      text::short_number(of_device));
  found.remedy = "Use an input larger than the host's memory, or read these figures as the speed of a cache.";
  return found;
}

found_warning unsteady(const report& all) {
  warning found = concerned(all, "unsteady", [](const task_report&, const measurement& line) {
    return line.seconds.mad > most_deviation * line.seconds.median;
  });
  if (found.contenders.empty()) return std::nullopt;
  found.text = fmt::format("{} varied by more than {:.0f} %: {}.", contenders_in(found), 100 * most_deviation,
                           first_few(found.contenders));
  found.remedy = "Compare their minima, or run them again on a quiet machine.";
  return found;
}

found_warning failed_runs(const report& all) {
  const auto failed = [](const measurement& line) {
    return std::ranges::count(line.result.samples, true, &sample::failed);
  };
  warning found = concerned(
      all, "failed_runs", [&](const task_report&, const measurement& line) { return failed(line) != 0; },
      is_measured);
  if (found.contenders.empty()) return std::nullopt;
  found.text = fmt::format("{} failed in some runs or all, which count: {}.", contenders_in(found),
                           first_few(found.contenders));
  found.remedy = "Leave out --ignore-failure to see the exit status and standard error.";
  return found;
}

found_warning too_few_rounds(const report& all) {
  const task_report* ranked = nullptr;
  std::vector<unsigned> ranks;
  warning found = concerned(all, "too_few_rounds", [&](const task_report& table, const measurement& line) {
    if (line.seconds.samples < fewest_rounds) return true;
    if (line.result.settled) return false;
    if (std::exchange(ranked, &table) != &table) ranks = ranks_of(table);
    return ranks[static_cast<std::size_t>(&line - table.lines.data())] == 0;
  });
  if (found.contenders.empty()) return std::nullopt;
  found.text =
      fmt::format("{} had too few runs for a rank: {}.", contenders_in(found), first_few(found.contenders));
  found.remedy = "Use a longer --time on a quiet machine, or measure fewer contenders (--contender).";
  return found;
}

}  // namespace

std::vector<warning> warnings_of(const report& report) {
  std::vector<warning> all;
  for (const auto find : {busy_machine, stolen_time, frequency_scaling, exceeds_cache, not_cached, host_cache,
                          unsteady, failed_runs, too_few_rounds}) {
    if (found_warning found = find(report)) all.push_back(*std::move(found));
  }
  return all;
}

}  // namespace riffle::bench
