/// Asks for each judgement once. Ranks contenders by pairs, the steadiest first, so that one that varies
/// takes no rank from others.
#include "bench/judge/conclusions.hpp"

#include <fmt/core.h>
#include <riffle/methods.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ranges>

#include "bench/contenders/registry.hpp"
#include "text/shown.hpp"

namespace riffle::bench {

namespace {

// Of the one with the shorter median to the other.
relation relation_of(const task_report& table, std::size_t one, std::size_t other) {
  const auto& [first, second] = std::minmax(one, other);
  return compare(table.lines[first].result.samples, table.lines[second].result.samples).how();
}

// Fewer rounds tell too little for a rank, however far apart two contenders are (see `compare`).
constexpr std::size_t fewest_to_rank = 3;

// The places of those that may have a rank, the steadiest first.
std::vector<std::size_t> steadiest_first(const task_report& table) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < table.lines.size(); ++i) {
    const measurement& line = table.lines[i];
    if (line.competes() && line.seconds.samples >= fewest_to_rank) places.push_back(i);
  }
  constexpr double steady = 0.05;  // none of these comes before a faster one
  std::ranges::stable_sort(places, {}, [&](std::size_t i) {
    const summary& seconds = table.lines[i].seconds;
    return std::max(reach_of(seconds.ci95, seconds.median).value_or(1e9), steady);
  });
  return places;
}

std::vector<standing> standings_of(const task_report& table, const measurement* fastest) {
  std::vector<standing> standings;
  standings.reserve(table.lines.size());
  for (const unsigned rank : ranks_of(table)) standings.push_back({.rank = rank});
  for (std::size_t i = 0; i < standings.size(); ++i) {
    const measurement& line = table.lines[i];
    if (!line.competes() || &line == fastest) continue;
    standings[i].against_fastest = compare(fastest->result.samples, line.result.samples);
  }
  return standings;
}

const measurement* winner_of(const task_report& table) {
  const measurement* first_known = nullptr;
  for (const measurement& line : table.lines) {
    if (!line.competes()) continue;
    if (line.role == role::riffle) {
      const measurement* const automatic = automatic_of(table);
      if (automatic == nullptr) return &line;
      const difference slower = compare(line.result.samples, automatic->result.samples);
      return slower.certain && slower.ratio > 1 ? &line : automatic;
    }
    if (first_known == nullptr && method_of(line.method) != nullptr) first_known = &line;
  }
  return first_known != nullptr ? first_known : best_of(table);
}

// "1 << 20" and "64 << 10" read better than 1048576 and 65536. An int has room for the largest block size.
std::string size_as_code(std::size_t bytes) {
  for (const unsigned bits : {30U, 20U, 10U}) {
    const std::size_t unit = std::size_t{1} << bits;
    if (bytes % unit == 0) return fmt::format("{} << {}", bytes / unit, bits);
  }
  return fmt::format("{}", bytes);
}

bool is_decoded(const task_report& table) {
  return std::ranges::any_of(table.lines,
                             [](const measurement& line) { return line.sets == limit_kind::decode; });
}

std::string options_of(const measurement& line, const task_report& table) {
  const method_info* const info = method_of(line.method);
  return options_as_code({.method = info != nullptr ? info->id : method::automatic,
                          .block_size = line.block_size,
                          .queue_depth = line.queue_depth,
                          .decode = is_decoded(table) ? decoding::automatic : decoding::none});
}

}  // namespace

std::vector<unsigned> ranks_of(const task_report& table) {
  const std::vector<std::size_t> places = steadiest_first(table);
  std::vector<std::vector<std::size_t>> groups;  // of those that share a rank
  for (const std::size_t i : places) {
    const auto is = [&](relation wanted) {
      return [&table, i, wanted](std::size_t j) { return relation_of(table, i, j) == wanted; };
    };
    const auto untold = [&](std::size_t j) {
      return j != i && !is(relation::alike)(j) && !is(relation::faster)(j);
    };
    bool told = table.lines[i].seconds.samples >= rounds_to_judge || std::ranges::none_of(places, untold);
    std::vector<std::size_t>* own = nullptr;
    for (auto& group : groups) {
      if (!told || std::ranges::all_of(group, is(relation::faster))) continue;
      told = own == nullptr && std::ranges::all_of(group, is(relation::alike));
      own = &group;
    }
    if (told) (own != nullptr ? *own : groups.emplace_back()).push_back(i);
  }
  std::vector<unsigned> ranks(table.lines.size(), 0);
  for (const auto& group : groups) {
    const auto first = table.lines.begin() + static_cast<std::ptrdiff_t>(std::ranges::min(group));
    const auto before = std::count_if(table.lines.begin(), first, std::mem_fn(&measurement::competes));
    for (const std::size_t i : group) ranks[i] = static_cast<unsigned>(before) + 1;
  }
  return ranks;
}

table_conclusions judge_table(const task_report& table) {
  const measurement* const fastest = best_of(table);
  table_conclusions found{.standings = standings_of(table, fastest), .verdict = verdict_of(table)};
  if (fastest != nullptr) found.fastest = static_cast<std::size_t>(fastest - table.lines.data());
  return found;
}

const measurement* best_of(const task_report& table) {
  return fastest(table, [](const measurement&) { return true; });
}

const measurement* fastest_of(const task_report& table, role wanted) {
  return fastest(table, [=](const measurement& line) { return line.role == wanted; });
}

const measurement* automatic_of(const task_report& table) {
  return fastest(table, [](const measurement& line) {
    return line.role == role::riffle && line.method == "automatic" && line.block_size == 0 &&
           line.threads == 1;
  });
}

std::string first_few(const std::vector<std::string>& all) {
  constexpr std::size_t few = 3;
  std::string text = text::joined(all | std::views::take(few), ", ");
  if (all.size() > few) text += fmt::format(" and {} more", all.size() - few);
  return text;
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string filled(std::string_view text, const named_words& words) {
  std::string all;
  for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{')) {
    const std::size_t close = text.find('}', open);
    const std::string_view name = text.substr(open + 1, close - open - 1);
    const auto found = std::ranges::find(words, name, &named_words::value_type::first);
    all += text.substr(0, open);
    if (found != words.end()) all += found->second;
    text.remove_prefix(close + 1);
  }
  return all += text;
}

std::string need_for_rounds(const task_report& table) {
  const bool of_plan = !table.base.empty();
  if (table.rounds != 0 && table.rounds < rounds_to_judge)
    return fmt::format(fmt::runtime(of_plan ? "a plan of {} rounds" : "--rounds {}"), rounds_to_judge);
  // With a third more, no contender has to leave out rounds.
  constexpr std::size_t third = rounds_to_judge / 3;
  const auto rounds = static_cast<double>(rounds_to_judge + third);
  const double seconds = std::ceil(table.round_seconds * rounds / table.share);
  const double step = std::pow(10, std::max(0.0, std::floor(std::log10(seconds)) - 1));
  const double rounded = std::ceil(seconds / step) * step;
  if (table.round_seconds <= 0 || rounded <= table.seconds / table.share)
    return of_plan ? "more time" : "a longer --time";
  return fmt::format("{}{:.0f}{}", of_plan ? "" : "--time ", rounded, of_plan ? " s" : "");
}

std::string options_as_code(const read_options& reading) {
  std::vector<std::string> options;
  if (reading.method != method::automatic)
    options.push_back(fmt::format(".method = riffle::method::{}", name_of(reading.method)));
  if (reading.block_size != 0) options.push_back(".block_size = " + size_as_code(reading.block_size));
  if (reading.queue_depth != 0) options.push_back(fmt::format(".queue_depth = {}", reading.queue_depth));
  if (reading.decode != decoding::none)
    options.push_back(fmt::format(".decode = riffle::decoding::{}", name_of(reading.decode)));
  return options.empty() ? std::string() : fmt::format("{{{}}}", text::joined(options, ", "));
}

bool introduces_code(const task_report& table) {
  const measurement* const best = best_of(table);
  const measurement* const winner = winner_of(table);
  return best != nullptr && table.task != task::commands && best->role != role::riffle &&
         winner->role == role::riffle;
}

std::string winning_code(const task_report& table) {
  const measurement* const winner = winner_of(table);
  if (winner == nullptr) return {};
  const bool own = winner->role == role::riffle;
  std::string options;
  if (own || method_of(winner->method) != nullptr) options = options_of(*winner, table);
  return code_of(table.task, own ? winner->name : "", winner->method, own ? winner->threads : 1, options);
}

}  // namespace riffle::bench
