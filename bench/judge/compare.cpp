/// Matches the contenders of two results, and tells the machine's drift from a change.
#include "bench/judge/compare.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <tuple>

#include "bench/data/fields.hpp"
#include "bench/host/os/machine.hpp"
#include "bench/stats/statistics.hpp"
#include "text/joined.hpp"

namespace riffle::bench {

namespace {

constexpr double smallest_change = 0.05;
constexpr double spreads = 3;
constexpr std::size_t fewest_published = 5;

using table_key = std::tuple<task, std::string_view, std::uint64_t, cache_mode>;
using line_key = std::tuple<table_key, std::string_view, std::string_view>;

table_key key_of(const task_report& table) {
  return {table.task, table.input, table.bytes, table.cache};
}

// Each contender of either report once, in their order.
std::vector<compared_row> rows_of(const report& base, const report& later) {
  std::vector<compared_row> rows;
  std::map<line_key, std::size_t> places;
  for (const report* const each : {&base, &later}) {
    for (const task_report& table : each->tasks) {
      for (const measurement& line : table.lines) {
        const auto [found, added] =
            places.try_emplace({key_of(table), line.program, line.label}, rows.size());
        if (added) rows.push_back({.table = &table, .base = nullptr, .later = nullptr});
        const measurement*& place = each == &base ? rows[found->second].base : rows[found->second].later;
        if (place == nullptr) place = &line;
      }
    }
  }
  return rows;
}

// Nothing if either was not measured, or too coarsely for a ratio.
std::optional<double> ratio_of(const compared_row& row) {
  if (row.base == nullptr || row.later == nullptr || !row.base->measured() || !row.later->measured())
    return std::nullopt;
  const double ratio = row.later->seconds.median / row.base->seconds.median;
  if (!std::isfinite(ratio) || ratio <= 0) return std::nullopt;
  return ratio;
}

std::map<cache_mode, drift> drifts_of(const std::vector<compared_row>& rows, bool same_machine) {
  std::map<cache_mode, std::vector<double>> logarithms;
  std::map<cache_mode, std::vector<double>> of_limits;
  for (const compared_row& row : rows) {
    std::vector<double>& of_state = logarithms[row.table->cache];
    const auto ratio = ratio_of(row);
    if (ratio && row.line().role == role::published) of_state.push_back(std::log(*ratio));
    if (ratio && row.line().is_limit()) of_limits[row.table->cache].push_back(std::log(*ratio));
  }
  std::map<cache_mode, drift> drifts;
  for (const auto& [cache, of_state] : logarithms) {
    drift& found = drifts[cache];
    found = {.rows = of_state.size(), .reach = std::log1p(smallest_change)};
    found.known = same_machine && of_state.size() >= fewest_published;
    if (!found.known) continue;
    found.ratio = std::exp(median(of_state));
    const double drifted = std::log(found.ratio);
    found.disputed = std::abs(drifted) > found.reach && !of_limits[cache].empty() &&
                     std::ranges::none_of(of_limits[cache],
                                          [drifted](double of_limit) { return of_limit / drifted >= 0.5; });
    found.reach = std::max(found.reach, spreads * median_deviation(of_state));
  }
  return drifts;
}

// Do the 95 % intervals leave a gap, once the drift is taken out of `after`? If either has no interval, all
// runs of both count.
bool apart(const summary& before, const summary& after, double drift) {
  if (before.ci95 && after.ci95)
    return after.ci95->low / drift > before.ci95->high || after.ci95->high / drift < before.ci95->low;
  if (!can_differ_plainly(before.samples, after.samples)) return false;
  return after.min / drift > plain_difference * before.max ||
         before.min > plain_difference * (after.max / drift);
}

bool is_broken(const measurement* line) {
  return line != nullptr &&
         (line->result.outcome == outcome::failed || line->result.outcome == outcome::wrong);
}

// A ratio that both reports give, once the drift is taken out.
change judged(const compared_row& row, double ratio, double drift, double reach) {
  const summary& before = row.base->seconds;
  const summary& after = row.later->seconds;
  const double corrected = ratio / drift;
  const bool far = std::abs(std::log(corrected)) > reach;
  if (far && apart(before, after, drift)) return corrected > 1 ? change::slower : change::faster;
  const bool enough =
      before.ci95 && after.ci95 && (!far || std::min(before.samples, after.samples) >= rounds_to_judge);
  return enough ? change::same : change::undecided;
}

// Sets the ratio too. `expected`: whether the later report should have all that the base has.
change change_of(compared_row& row, const drift& by, bool expected) {
  if (is_broken(row.later)) return change::failed;
  const std::optional<double> ratio = ratio_of(row);
  if (!ratio) return expected && row.base != nullptr && row.base->measured() ? change::lost : change::missing;
  row.ratio = by.disputed ? *ratio : *ratio / by.ratio;
  const change corrected = judged(row, *ratio, by.ratio, by.reach);
  if (!by.disputed) return corrected;
  const change absolute = judged(row, *ratio, 1, by.reach);
  return row.line().is_limit() || absolute == corrected ? absolute : change::machines;
}

std::string text_of_fact(const std::string& text) {
  return text.empty() ? "unknown" : text;
}
std::string text_of_fact(const std::vector<std::string>& texts) {
  return texts.empty() ? "none" : text::joined(texts, ", ");
}
std::string text_of_fact(std::uint64_t number) {
  return number == 0 ? "unknown" : std::to_string(number);
}

// Leaves out the free memory, which differs in every run.
std::vector<std::string> differing_facts(const machine& base, const machine& later) {
  std::vector<std::string> differing;
  each_field(base, [&](const auto& field, const auto& value) {
    std::string name = field.name;
    const auto& after = std::invoke(field.get, later);
    if (value == after || name == "memory_available") return;
    std::ranges::replace(name, '_', ' ');
    differing.push_back(fmt::format("{}: {} -> {}", name, text_of_fact(value), text_of_fact(after)));
  });
  return differing;
}

// Of the contenders that agree with each other, on each generated input.
std::map<std::tuple<task, std::string_view, std::uint64_t>, answer> answers_of(const report& all) {
  std::map<std::tuple<task, std::string_view, std::uint64_t>, answer> answers;
  for (const task_report& table : all.tasks) {
    for (const measurement& line : table.lines) {
      if (table.made && line.measured() && line.result.answer)
        answers.try_emplace({table.task, table.input, table.bytes}, *line.result.answer);
    }
  }
  return answers;
}

// Generated inputs are the same bytes everywhere, so their counts must be the same too.
std::vector<std::string> differing_answers(const report& base, const report& later) {
  std::vector<std::string> differing;
  const auto others = answers_of(later);
  for (const auto& [which, before] : answers_of(base)) {
    const auto found = others.find(which);
    if (found == others.end() || found->second == before) continue;
    const auto& [task, input, bytes] = which;
    differing.push_back(fmt::format("{} on {} of {} bytes: count {}, sum {} -> count {}, sum {}",
                                    name_of(task), input, bytes, before.count, before.sum,
                                    found->second.count, found->second.sum));
  }
  return differing;
}

// A processor without a name may be any.
bool is_same(const machine& a, const machine& b) {
  const auto known = [](const machine& one) {
    return std::tie(one.processor, one.processors_online, one.caches, one.os_release, one.compiler,
                    one.flags);
  };
  return a.processor != os::unknown_processor && known(a) == known(b);
}

}  // namespace

comparison compare_reports(const report& base, const report& later) {
  comparison all{.same_machine = is_same(base.facts, later.facts),
                 .facts = differing_facts(base.facts, later.facts),
                 .answers = differing_answers(base, later),
                 .rows = rows_of(base, later)};
  all.drifts = drifts_of(all.rows, all.same_machine);
  std::set<table_key> tables;
  for (const task_report& table : later.tasks) tables.insert(key_of(table));
  for (compared_row& row : all.rows) {
    const bool expected = !later.complete || tables.contains(key_of(*row.table));
    row.change = change_of(row, all.drifts.at(row.table->cache), expected);
  }
  return all;
}

ending ending_of(const comparison& found, std::optional<double> fail_on) {
  const auto any = [&found](auto holds) { return std::ranges::any_of(found.rows, holds); };
  const auto any_of_riffle = [&any](auto holds) {
    return any([&](const compared_row& row) { return row.is_riffles() && holds(row); });
  };
  const bool compared = any([](const compared_row& row) { return row.change <= change::undecided; });
  const bool broke = any([](const compared_row& row) {
    return row.change == change::failed && row.base != nullptr && row.base->measured();
  });
  if (!compared || broke || !found.answers.empty()) return ending::failed;
  if (!fail_on) return ending::fine;
  if (any_of_riffle([&](const compared_row& row) {
        return row.change == change::lost || (row.change == change::slower && row.ratio > 1 + *fail_on);
      }))
    return ending::failed;
  return any_of_riffle([](const compared_row& row) {
    return row.change == change::undecided || row.change == change::machines;
  })
             ? ending::undecided
             : ending::fine;
}

}  // namespace riffle::bench
