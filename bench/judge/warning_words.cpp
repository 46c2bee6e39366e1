/// Each warning as a sentence, and its remedy as another.
#include <fmt/core.h>

#include "bench/judge/warnings.hpp"
#include "bench/judge/words.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

template <class... F>
struct overloads : F... {
  using F::operator()...;
};
template <class... F>
overloads(F...) -> overloads<F...>;

// "3 contenders" or "3 contenders in 2 tasks (gc, lines)"
std::string of_contenders(const std::vector<std::string>& tasks, const std::vector<std::string>& contenders) {
  std::string text = counted(contenders.size(), "contender");
  if (tasks.size() > 1) text += fmt::format(" in {} tasks ({})", tasks.size(), first_few(tasks));
  return text;
}

// "genome was" or "genome, text were"
std::string listed(const std::vector<std::string>& inputs, std::string_view one, std::string_view several) {
  return fmt::format("{} {}", first_few(inputs), inputs.size() == 1 ? one : several);
}

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
          [](const busy_machine& found) {
            return fmt::format("The machine was busy: its load was {:.1f} on {} when the run began.",
                               found.load, counted(found.processors, "processor"));
          },
          [](const stolen_time& found) {
            return fmt::format("The host gave {:.1f} % of this machine's time to others during the run.",
                               100 * found.share);
          },
          [](const frequency_scaling& found) {
            return fmt::format("The processor may change its frequency between two runs: its governor is {}.",
                               found.governor);
          },
          [](const exceeds_cache& found) {
            return fmt::format("{} {}, too much to cache in {} of free memory.",
                               listed(found.inputs, "has", "have up to"), text::human_size(found.bytes),
                               text::human_size(found.available));
          },
          [](const not_cached& found) {
            return fmt::format("{} evicted from the page cache during the measurement: {} read from storage.",
                               listed(found.inputs, "was", "were"), first_few(found.contenders));
          },
          [](const host_cache& found) {
            return fmt::format(
                "{} {} GB/s with a cold cache, from a device that gives {}: the bytes came from a cache of "
                "the host or of the controller.",
                listed(found.inputs, "was read at", "were read at up to"), text::short_number(found.gb_per_s),
                text::short_number(found.device_gb_per_s));
          },
          [](const coarse_clock& found) {
            return fmt::format(
                "The clock ticks every {:.0f} ns, and a run of {} takes fewer than {:.0f} ticks.",
                found.tick_ns, found.contender, fewest_ticks);
          },
          [](const unsteady& found) {
            return fmt::format("{} varied by more than {:.0f} %: {}.",
                               of_contenders(found.tasks, found.contenders), 100 * most_deviation,
                               first_few(found.contenders));
          },
          [](const too_few_rounds& found) {
            return fmt::format("{} had too few runs for a narrow 95 % interval: {}.",
                               of_contenders(found.tasks, found.contenders), first_few(found.contenders));
          }},
      which);
}

std::string remedy_of(const warning& which) {
  return std::visit(
      overloads{
          [](const busy_machine&) -> std::string {
            return "Stop other programs and run it again, or go by the 95 % intervals.";
          },
          [](const stolen_time&) -> std::string {
            return "Run it again at another time, or on a machine of your own.";
          },
          [](const frequency_scaling&) -> std::string {
            return "As root: cpupower frequency-set -g performance";
          },
          [](const exceeds_cache& found) {
            return fmt::format(
                "Use less than {} (--size for generated inputs), or measure it with --cache cold.",
                text::human_size(
                    static_cast<std::uint64_t>(most_cached * static_cast<double>(found.available))));
          },
          [](const not_cached&) -> std::string {
            return "Close programs that need much memory, use a smaller input, or measure it with --cache "
                   "cold.";
          },
          [](const host_cache&) -> std::string {
            return "Use an input larger than the host's memory, or read these figures as the speed of a "
                   "cache.";
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

}  // namespace riffle::bench
