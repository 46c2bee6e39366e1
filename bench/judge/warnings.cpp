/// Decides what is to be warned of, and words each warning with its remedy.
#include "bench/judge/warnings.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "bench/data/report.hpp"
#include "bench/judge/figures.hpp"
#include "bench/show/in_words.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

// Others who take half of the processors share the caches, the memory's bandwidth and the clock's boost with
// the benchmark long before there is no processor left for it.
constexpr double most_load = 0.5;  // for each processor
constexpr double most_stolen = 0.02;
// Not all that is free becomes cache: the contenders need memory too, and the kernel evicts before it is
// full.
constexpr double most_cached = 0.75;
constexpr double most_read = 0.01;  // of an input that is in the cache, from storage
// A device's speed varies from run to run, but not by so much.
constexpr double faster_than_device = 1.2;
constexpr double fewest_ticks = 100;    // then a tick is 1 %
constexpr double most_deviation = 0.1;  // of the median
constexpr std::size_t fewest_rounds = 6;
constexpr double in_the_running_up_to = 4;  // times the best median

template <class... F>
struct overloads : F... {
  using F::operator()...;
};
template <class... F>
overloads(F...) -> overloads<F...>;

// "gc: 3 contenders varied"
std::string of_contenders(std::string_view task, const std::vector<std::string>& contenders) {
  return fmt::format("{}: {} contender{}", task, contenders.size(), contenders.size() == 1 ? "" : "s");
}

std::string id_of(const measurement& line) {
  return line.program + "/" + line.label;
}

/// The warnings so far. One task may be reported for several inputs and states of the cache: its contenders
/// are listed together.
class collection {
 public:
  std::vector<warning> all() && { return std::move(all_); }

  void look_at(const report& of) {
    const unsigned processors = std::max(of.facts.processors_online, 1U);
    if (of.load > most_load * processors) all_.emplace_back(busy_machine{of.load, processors});
    if (of.stolen_share > most_stolen) all_.emplace_back(stolen_time{of.stolen_share});
    // Virtual machines seldom have a governor: their host has it.
    if (!of.facts.governor.empty() && of.facts.governor != "performance") {
      all_.emplace_back(frequency_scaling{of.facts.governor});
    }
    for (const task_report& each : of.tasks) look_at_cache(of, each);
    for (const task_report& each : of.tasks) look_at_storage(each);
    for (const task_report& each : of.tasks) look_at_device(of, each);
    look_at_clock(of);
    for (const task_report& each : of.tasks) look_at_spread(each);
    for (const task_report& each : of.tasks) look_at_rounds(each);
  }

 private:
  // The warning of that kind about `key`, made where there is none yet; `member` says what it is about.
  template <class Kind>
  Kind& about(std::string Kind::* member, const std::string& key) {
    for (warning& each : all_) {
      Kind* const found = std::get_if<Kind>(&each);
      if (found != nullptr && found->*member == key) return *found;
    }
    Kind fresh{};
    fresh.*member = key;
    return std::get<Kind>(all_.emplace_back(std::move(fresh)));
  }

  template <class Kind>
  void add_contender(std::string Kind::* member, std::string_view key, const measurement& line) {
    std::vector<std::string>& listed = about(member, std::string(key)).contenders;
    if (std::ranges::find(listed, id_of(line)) == listed.end()) listed.push_back(id_of(line));
  }

  void look_at_cache(const report& of, const task_report& each) {
    const std::uint64_t available = of.facts.memory_available;
    if (!is_cached(each.cache) || available == 0) return;
    if (static_cast<double>(each.bytes) <= most_cached * static_cast<double>(available)) return;
    exceeds_cache& said = about(&exceeds_cache::input, each.input);
    said.available = available;
    said.bytes = std::max(said.bytes, each.bytes);
  }

  // O_DIRECT never asks the cache.
  void look_at_storage(const task_report& each) {
    if (!is_cached(each.cache)) return;
    for (const measurement& line : each.lines) {
      if (!in_the_running(each, line) || info_of(line.method).bypasses_cache) continue;
      if (line.usage.bytes_read > most_read * static_cast<double>(each.bytes))
        add_contender(&not_cached::input, each.input, line);
    }
  }

  void look_at_device(const report& of, const task_report& each) {
    if (is_cached(each.cache)) return;
    const measurement* const best = best_of(each);
    const double device = device_of(of, each);
    if (best == nullptr || device <= 0) return;
    const double speed = gb_per_s(each, *best);
    if (speed <= faster_than_device * device) return;
    host_cache& said = about(&host_cache::input, each.input);
    if (speed <= said.gb_per_s) return;
    said.gb_per_s = speed;
    said.device_gb_per_s = device;
  }

  // 10^9 bytes a second, best as measured on this very input; 0: unknown.
  static double device_of(const report& of, const task_report& each) {
    for (const measurement& line : each.lines) {
      if (line.sets == limit_kind::device && line.measured()) return gb_per_s(each, line);
    }
    return of.limits.device.value_or(0) * 1e-9;
  }

  // The shortest of all timed intervals stands for the others.
  void look_at_clock(const report& of) {
    double least = fewest_ticks * of.tick_ns;
    std::string shortest;
    for (const task_report& each : of.tasks) {
      for (const measurement& line : each.lines) {
        const double timed = line.seconds.median * line.result.runs_per_sample * 1e9;
        if (!line.measured() || timed >= least) continue;
        least = timed;
        shortest = fmt::format("{} {}", name_of(each.task), id_of(line));
      }
    }
    if (!shortest.empty()) all_.emplace_back(coarse_clock{of.tick_ns, shortest});
  }

  // Whoever is several times slower than the best needs no fine figures.
  static bool in_the_running(const task_report& of, const measurement& line) {
    const measurement* const best = best_of(of);
    return line.measured() && !line.is_limit() && best != nullptr &&
           line.seconds.median <= in_the_running_up_to * best->seconds.median;
  }

  void look_at_spread(const task_report& each) {
    for (const measurement& line : each.lines) {
      if (!in_the_running(each, line) || line.seconds.mad <= most_deviation * line.seconds.median) continue;
      add_contender(&unsteady::task, name_of(each.task), line);
    }
  }

  void look_at_rounds(const task_report& each) {
    for (const measurement& line : each.lines) {
      if (!in_the_running(each, line)) continue;
      if (line.seconds.samples >= fewest_rounds && line.result.settled) continue;
      add_contender(&too_few_rounds::task, name_of(each.task), line);
    }
  }

  std::vector<warning> all_;
};

}  // namespace

std::string_view name_of(const warning& which) {
  return std::visit(overloads{[](const busy_machine&) { return "busy_machine"; },
                              [](const stolen_time&) { return "stolen_time"; },
                              [](const frequency_scaling&) { return "frequency_scaling"; },
                              [](const exceeds_cache&) { return "exceeds_cache"; },
                              [](const not_cached&) { return "not_cached"; },
                              [](const host_cache&) { return "host_cache"; },
                              [](const coarse_clock&) { return "coarse_clock"; },
                              [](const unsteady&) { return "unsteady"; },
                              [](const too_few_rounds&) { return "too_few_rounds"; }},
                    which);
}

std::string text_of(const warning& which) {
  return std::visit(
      overloads{
          [](const busy_machine& of) {
            return fmt::format("The machine is busy: a load of {:.1f} on {} processor{} as the run began.",
                               of.load, of.processors, of.processors == 1 ? "" : "s");
          },
          [](const stolen_time& of) {
            return fmt::format("The host gave {:.1f} % of this machine's time to others during the run.",
                               100 * of.share);
          },
          [](const frequency_scaling& of) {
            return fmt::format("The processor may change its frequency between two runs: its governor is {}.",
                               of.governor);
          },
          [](const exceeds_cache& of) {
            return fmt::format("{} has {}, too much for a page cache in {} of free memory.", of.input,
                               text::human_size(of.bytes), text::human_size(of.available));
          },
          [](const not_cached& of) {
            return fmt::format(
                "{} was evicted from the page cache while it was measured: {} read from storage.", of.input,
                first_few(of.contenders));
          },
          [](const host_cache& of) {
            return fmt::format(
                "{} was read at {} GB/s with a cold cache, from a device that gives {}: it came from a cache "
                "of the host or of the controller.",
                of.input, text::short_number(of.gb_per_s), text::short_number(of.device_gb_per_s));
          },
          [](const coarse_clock& of) {
            return fmt::format(
                "The clock ticks every {:.0f} ns, and a run of {} takes fewer than {:.0f} ticks.", of.tick_ns,
                of.contender, fewest_ticks);
          },
          [](const unsteady& of) {
            return fmt::format("{} varied by more than {:.0f} %: {}.", of_contenders(of.task, of.contenders),
                               100 * most_deviation, first_few(of.contenders));
          },
          [](const too_few_rounds& of) {
            return fmt::format("{} never had a narrow interval: {}.", of_contenders(of.task, of.contenders),
                               first_few(of.contenders));
          }},
      which);
}

std::string remedy_of(const warning& which) {
  return std::visit(
      overloads{
          [](const busy_machine&) -> std::string {
            return "Close other programs, or read the spread before the figures.";
          },
          [](const stolen_time&) -> std::string {
            return "Run it again at a quieter hour, or on a machine of your own.";
          },
          [](const frequency_scaling&) -> std::string {
            return "As root: cpupower frequency-set -g performance";
          },
          [](const exceeds_cache& of) {
            return fmt::format("Use less than {} (--size for made inputs), or measure it with --cache cold.",
                               text::human_size(static_cast<std::uint64_t>(
                                   most_cached * static_cast<double>(of.available))));
          },
          [](const not_cached&) -> std::string {
            return "Close programs that need much memory, use a smaller input, or measure it with --cache "
                   "cold.";
          },
          [](const host_cache&) -> std::string {
            return "Use an input larger than the host's memory, or take these figures for those of a cache.";
          },
          [](const coarse_clock&) -> std::string { return "Use a larger input: --size 64M"; },
          [](const unsteady&) -> std::string {
            return "Compare their minima, or run them again on a quiet machine: --time 300";
          },
          [](const too_few_rounds&) -> std::string {
            return "Allow more time and rounds on a quiet machine (--time 300), or measure fewer contenders.";
          }},
      which);
}

std::vector<warning> warnings_of(const report& all) {
  collection found;
  found.look_at(all);
  return std::move(found).all();
}

}  // namespace riffle::bench
