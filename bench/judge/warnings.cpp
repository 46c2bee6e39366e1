/// Finds the warnings of a report. Each is a row: its name, what finds it, and its text and remedy, in which
/// the names in braces are filled in. Several tasks, inputs and contenders share one.
#include <fmt/core.h>

#include <algorithm>

#include "bench/judge/conclusions.hpp"
#include "text/typed.hpp"

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
constexpr double most_deviation = 0.1;      // the median absolute deviation, as a fraction of the median
constexpr std::size_t fewest_rounds = 6;    // fewer give no interval
constexpr double in_the_running_up_to = 4;  // times the best median

/// Whom a warning concerns, and the words of its text.
struct finding {
  std::vector<std::string> tasks = {};
  std::vector<std::string> inputs = {};
  std::vector<std::string> contenders = {};
  named_words words = {};
};
using found_warning = std::optional<finding>;

void add_once(std::vector<std::string>& list, std::string_view item) {
  if (std::ranges::find(list, item) == list.end()) list.emplace_back(item);
}

// A contender that is several times slower than the best needs no fine figures.
bool in_the_running(const task_report& table, const measurement& line) {
  const measurement* const best = best_of(table);
  return line.competes() && best != nullptr &&
         line.seconds.median <= in_the_running_up_to * best->seconds.median;
}

bool is_measured(const task_report& /*table*/, const measurement& line) {
  return line.measured();
}

// The contenders in the running, or others, of which `holds` is true: "{n contenders}" and "{who}", the first
// few of them.
template <class Holds>
found_warning concerned(const report& all, Holds holds,
                        bool (*among)(const task_report&, const measurement&) = in_the_running) {
  finding found;
  for (const task_report& table : all.tasks) {
    for (const measurement& line : table.lines) {
      if (!among(table, line) || !holds(table, line)) continue;
      add_once(found.tasks, table.name);
      add_once(found.inputs, table.input);
      add_once(found.contenders, table.base.empty()
                                     ? fmt::format("{} {}/{}", table.name, line.program, line.label)
                                     : fmt::format("{} {}", table.name, line.label));
    }
  }
  if (found.contenders.empty()) return std::nullopt;
  std::string count = counted(found.contenders.size(), "contender");
  if (found.tasks.size() > 1)
    count += fmt::format(" in {} tasks ({})", found.tasks.size(), first_few(found.tasks));
  found.words = {{"n contenders", std::move(count)},
                 {"who", first_few(found.contenders)},
                 {"inputs", first_few(found.inputs)},
                 {"were", found.inputs.size() == 1 ? "was" : "were"}};
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
  finding found;
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
  found.words = {{"inputs", first_few(found.inputs)},
                 {"were read at", found.inputs.size() == 1 ? "was read at" : "were read at up to"},
                 {"speed", text::short_number(fastest)},
                 {"device", text::short_number(of_device)}};
  return found;
}

// How long to run is known if the rounds were too few, and not if the runs varied.
found_warning too_few_rounds(const report& all) {
  const task_report* ranked = nullptr;
  std::vector<unsigned> ranks;
  bool few = false;
  found_warning found = concerned(all, [&](const task_report& table, const measurement& line) {
    if (std::exchange(ranked, &table) != &table) ranks = ranks_of(table);
    const bool without = ranks[static_cast<std::size_t>(&line - table.lines.data())] == 0;
    const bool concerns = line.seconds.samples < fewest_rounds || (!line.result.settled && without);
    few = few || (concerns && line.seconds.samples < rounds_to_judge);
    return concerns;
  });
  if (!found) return found;
  const task_report& slowest = *std::ranges::max_element(
      all.tasks, {}, [](const task_report& table) { return table.round_seconds / table.share; });
  const bool of_plan = !slowest.base.empty();
  found->words.emplace_back("time", few       ? need_for_rounds(slowest)
                                    : of_plan ? "more time"
                                              : "a longer --time");
  found->words.emplace_back("fewer", of_plan ? "race fewer" : "measure fewer contenders (--contender)");
  found->words.emplace_back("use", of_plan ? "Each table needs" : "Use");
  found->words.emplace_back("what", few ? "had too few runs" : "varied too much");
  return found;
}

struct row {
  std::string_view name;
  found_warning (*find)(const report&);
  std::string_view text;
  std::string_view remedy;
};

constexpr std::array rows{
    row{"busy_machine",
        [](const report& all) -> found_warning {
          const unsigned processors = std::max(all.facts.processors_online, 1U);
          if (all.load <= most_load * processors) return std::nullopt;
          return finding{.words = {{"load", fmt::format("{:.1f}", all.load)},
                                   {"processors", counted(processors, "processor")}}};
        },
        "The machine was busy: its load was {load} on {processors} when the run began.",
        "Stop other programs and run it again, or go by the 95 % intervals."},
    row{"stolen_time",
        [](const report& all) -> found_warning {
          if (all.stolen_share <= most_stolen) return std::nullopt;
          return finding{.words = {{"share", fmt::format("{:.1f}", 100 * all.stolen_share)}}};
        },
        "The host gave {share} % of this machine's time to others during the run.",
        "Run it again at another time, or on a machine of your own."},
    row{"frequency_scaling",
        // Virtual machines seldom have a governor: their host has it.
        [](const report& all) -> found_warning {
          const std::string& governor = all.facts.governor;
          if (governor.empty() || governor == "performance") return std::nullopt;
          return finding{.words = {{"governor", governor}}};
        },
        "The processor may change its frequency between two runs: its governor is {governor}.",
        "As root: cpupower frequency-set -g performance"},
    row{"not_cached",
        // A method that bypasses the cache reads from storage whatever the cache holds.
        [](const report& all) -> found_warning {
          return concerned(all, [](const task_report& table, const measurement& line) {
            const method_info* const used = method_of(line.method);
            return is_cached(table.cache) && table.bytes > 0 && (used == nullptr || !used->past_cache) &&
                   line.usage.bytes_read > most_read * static_cast<double>(table.bytes);
          });
        },
        "{inputs} {were} evicted from the page cache during the measurement: {who} read from storage.",
        "Close programs that need much memory, use a smaller input, or measure it with --cache cold."},
    row{"host_cache", host_cache,
        "{inputs} {were read at} {speed} GB/s with a cold cache, from a device that gives {device}: the "
        "bytes came from a cache of the host or of the controller.",
        "Use an input larger than the host's memory, or read these figures as the speed of a cache."},
    row{"unsteady",
        [](const report& all) -> found_warning {
          return concerned(all, [](const task_report&, const measurement& line) {
            return line.seconds.mad > most_deviation * line.seconds.median;
          });
        },
        "{n contenders} varied by more than 10 %: {who}.",
        "Compare their minima, or run them again on a quiet machine."},
    row{"failed_runs",
        [](const report& all) -> found_warning {
          return concerned(
              all,
              [](const task_report&, const measurement& line) {
                return std::ranges::count(line.result.samples, true, &sample::failed) != 0;
              },
              is_measured);
        },
        "{n contenders} failed in some runs or all, which count: {who}.",
        "Leave out --ignore-failure to see the exit status and standard error."},
    row{"too_few_rounds", too_few_rounds, "{n contenders} {what} for a rank: {who}.",
        "{use} {time} on a quiet machine, or {fewer}."}};

}  // namespace

std::vector<warning> warnings_of(const report& report) {
  std::vector<warning> all;
  for (const row& each : rows) {
    if (found_warning found = each.find(report))
      all.push_back({.name = std::string(each.name),
                     .tasks = std::move(found->tasks),
                     .inputs = std::move(found->inputs),
                     .contenders = std::move(found->contenders),
                     .text = filled(each.text, found->words),
                     .remedy = filled(each.remedy, found->words)});
  }
  return all;
}

}  // namespace riffle::bench
