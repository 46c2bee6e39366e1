/// Picks the methods and options for one input, measures them and judges the automatic choice by them.
#include "bench/judge/advice.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <riffle/blocks.hpp>
#include <riffle/scan.hpp>

#include "bench/contenders/registry.hpp"
#include "bench/data/report.hpp"
#include "bench/inputs/inputs.hpp"
#include "bench/stats/samples.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

// The automatic choice is right up to this ratio to the fastest.
constexpr double tolerated = 1.05;

std::string label_of(const read_options& reading) {
  std::string label(name_of(reading.method));
  if (reading.block_size != 0) label += " " + text::short_size(reading.block_size);
  if (reading.whole_file) label += " whole";
  return label;
}

std::string label_of_automatic(method chosen) {
  return fmt::format("automatic ({})", name_of(chosen));
}

// The time in which every candidate gets its rounds on a current machine. The rounds end earlier if all have
// settled. The slowest candidate reads at a fraction of this speed, the fastest at several times of it.
double seconds_needed(std::size_t ways, std::uint64_t bytes, cache_mode cache) {
  constexpr double shortest = 5;
  const double bytes_a_second = is_cached(cache) ? 4e9 : 1e9;
  const std::size_t rounds = rounds_to_judge + rounds_to_judge / 3;
  const auto runs = static_cast<double>(ways * rounds);
  return std::max(shortest, std::ceil(runs * static_cast<double>(bytes) / bytes_a_second));
}

// The least work that touches every byte, so that the reading takes most of the time.
answer count_newlines(const std::filesystem::path& file, const read_options& reading) {
  answer total;
  block_range parts = blocks(file, reading);
  for (const block part : parts) {
    const std::string_view bytes = part.bytes.substr(0, static_cast<std::size_t>(most_measured - total.sum));
    total += {scan::count_lines(bytes), bytes.size()};
    if (total.sum == most_measured) break;
  }
  parts.from().check();
  return total;
}

way way_of(const read_options& reading, const std::string& label) {
  return {reading,
          {.task = task::lines,
           .name = label,
           .program = "riffle",
           .role = role::riffle,
           .method = std::string(name_of(reading.method)),
           .description = "blocks, count_lines",
           .run = each_file(
               [reading](const std::filesystem::path& file) { return count_newlines(file, reading); }),
           .block_size = reading.block_size}};
}

std::string times(double ratio) {
  return fmt::format("{:.{}f}x", ratio, ratio < 10 ? 2 : (ratio < 100 ? 1 : 0));
}

const tried* automatic_among(const std::vector<tried>& all) {
  const auto found =
      std::ranges::find(all, method::automatic, [](const tried& one) { return one.reading.method; });
  return found == all.end() ? nullptr : &*found;
}

// Whether a candidate is faster than automatic beyond the noise, by more than a factor.
bool faster_by(const difference& against, double factor) {
  return against.certain && against.ratio < 1 / factor;
}

// The first of those that are as fast as the fastest. If the fastest beats automatic by more than is
// tolerated, so does the one advised.
std::optional<std::size_t> faster_among(const std::vector<tried>& all,
                                        const std::vector<difference>& against) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (faster_by(against[i], 1) && (!best || against[i].ratio < against[*best].ratio)) best = i;
  }
  if (!best) return std::nullopt;
  const double factor = faster_by(against[*best], tolerated) ? tolerated : 1;
  for (std::size_t i = 0; i < *best; ++i) {
    if (!faster_by(against[i], factor)) continue;
    if (!compare(all[*best].result.samples, all[i].result.samples).certain) return i;
  }
  return best;
}

// "; read took 1.41x as long": the next best method with its own block size; empty if none was slower.
std::string runner_up(const std::vector<tried>& all, const std::vector<difference>& against, method chosen) {
  std::optional<std::size_t> next;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const read_options& reading = all[i].reading;
    if (reading.method == chosen || reading.block_size != 0 || reading.whole_file) continue;
    if (!against[i].certain || against[i].ratio <= 1) continue;
    if (!next || against[i].ratio < against[*next].ratio) next = i;
  }
  return next ? fmt::format("; {} took {} as long", all[*next].label, times(against[*next].ratio)) : "";
}

// Whether a candidate may be faster, but had too few rounds to show it.
bool may_hide_a_loss(const std::vector<tried>& all, const std::vector<difference>& against) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].reading.method == method::automatic || !all[i].measured()) continue;
    if (!against[i].certain && !against[i].enough_rounds()) return true;
  }
  return false;
}

advised outcome_of(const std::vector<tried>& all, const advice& given) {
  if (std::ranges::any_of(all, [](const tried& one) { return one.result.outcome == outcome::wrong; }))
    return advised::failed;
  if (given.faster && faster_by(given.against_automatic[*given.faster], tolerated)) return advised::lost;
  return may_hide_a_loss(all, given.against_automatic) ? advised::undecided : advised::right;
}

std::string sentence(const std::vector<tried>& all, const advice& given, method chosen) {
  const std::string automatic = label_of_automatic(chosen);
  if (!given.faster) {
    if (given.outcome == advised::undecided) return "it is undecided whether " + automatic + " was right";
    return automatic + " was right: no method was faster beyond the noise" +
           runner_up(all, given.against_automatic, chosen);
  }
  const difference& by = given.against_automatic[*given.faster];
  return fmt::format("{} was {}: {} is {} faster", automatic,
                     faster_by(by, tolerated) ? "not the fastest" : "within 5 % of the fastest",
                     all[*given.faster].label, times(1 / by.ratio));
}

// Why a faster candidate may be overlooked; empty if it would show.
std::string caveat(const summary& automatic, advised came) {
  if (automatic.samples < rounds_to_judge || came == advised::undecided) {
    return fmt::format(" ({} round{} measured, {} needed; use a longer --time)", automatic.samples,
                       automatic.samples == 1 ? "" : "s", rounds_to_judge);
  }
  if (reach_of(automatic.ci95, automatic.median).value_or(0) <= tolerated - 1) return "";
  return " (its runs vary too much to show 5 %; stop other programs or use a longer --time)";
}

}  // namespace

std::vector<way> ways_to_read(const facts& known) {
  const read_options any{.fault_guard = known.fault_guard};
  const method chosen = choose(known).method;
  std::vector<way> ways{way_of(any, label_of_automatic(chosen))};
  const auto add = [&](method which, std::size_t block_size, bool whole_file) {
    read_options reading = any;
    reading.method = which;
    reading.block_size = block_size;
    reading.whole_file = whole_file;
    ways.push_back(way_of(reading, label_of(reading)));
  };
  const auto usable = [&](const method_info& info) {
    // Without the guard a mapping could crash.
    return info.takes(known.kind) && !info.unavailable() && (!info.maps || known.fault_guard);
  };
  for (const method_info& info : methods()) {
    if (info.id != chosen && usable(info)) add(info.id, 0, false);
  }
  for (const method_info& info : methods()) {
    if (info.one_position || info.queues || !usable(info)) continue;
    // All block sizes above the file size are alike.
    const std::size_t smaller = info.block_size / 4;
    const std::size_t larger = info.block_size * 4;
    if (smaller < known.size) add(info.id, smaller, false);
    if (info.block_size < known.size) add(info.id, larger, false);
    if (info.maps && larger < known.size && known.size <= most_measured) add(info.id, 0, true);
  }
  return ways;
}

advice_plan plan_advice(const std::filesystem::path& file, const facts& known, cache_mode cache,
                        std::optional<double> seconds) {
  advice_plan plan{.ways = ways_to_read(known),
                   .files = {file},
                   .chosen = choose(known).method,
                   .cache = cache,
                   .bytes = std::min(known.size, most_measured),
                   .rounds = {.rounds = 1000}};
  plan.rounds.budget = seconds.value_or(seconds_needed(plan.ways.size(), plan.bytes, cache));
  if (!is_cached(cache)) plan.rounds.shortest = 0;
  return plan;
}

std::optional<std::string> cannot_measure(const std::filesystem::path& file, const facts& known) {
  if (const auto reason = not_measurable(file)) return "cannot measure " + *reason;
  if (known.size == 0) return "cannot measure an empty file: there is nothing to read";
  return std::nullopt;
}

std::vector<tried> try_ways(const std::vector<way>& ways, input_files files, const round_options& options,
                            const round_hooks& hooks) {
  std::vector<contender> contenders;
  contenders.reserve(ways.size());
  for (const way& each : ways) contenders.push_back(each.contender);
  std::vector<result> results = run_rounds(contenders, files, options, hooks).results;
  std::vector<tried> all;
  all.reserve(ways.size());
  for (std::size_t i = 0; i < ways.size(); ++i) {
    tried one{ways[i].contender.name, ways[i].reading, std::move(results[i]), {}};
    one.seconds = summarise(seconds_of(one.result.samples));
    all.push_back(std::move(one));
  }
  return all;
}

advice judge(const std::vector<tried>& all, method chosen) {
  const tried* const automatic = automatic_among(all);
  if (automatic == nullptr || !automatic->measured()) {
    const std::string reason = automatic == nullptr ? "" : automatic->result.reason;
    return {"automatic was not measured" + (reason.empty() ? "" : ": " + reason), advised::failed};
  }
  advice given;
  for (const tried& one : all) {
    given.against_automatic.push_back(one.measured() ? compare(automatic->result.samples, one.result.samples)
                                                     : difference{});
  }
  given.faster = faster_among(all, given.against_automatic);
  given.outcome = outcome_of(all, given);
  given.text = sentence(all, given, chosen) + caveat(automatic->seconds, given.outcome);
  return given;
}

}  // namespace riffle::bench
