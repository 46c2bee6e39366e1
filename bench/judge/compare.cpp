/// Matches the contenders of two results, and tells the machine's drift from a change.
#include "bench/judge/compare.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
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
constexpr std::size_t fewest_yardsticks = 5;

/// Identifies a contender on an input in its report.
using key = std::tuple<task, std::string, std::uint64_t, cache_mode, std::string, std::string>;
using index = std::map<key, const measurement*>;

key key_of(const task_report& table, const measurement& line) {
  return {table.task, table.input, table.bytes, table.cache, line.program, line.label};
}

index index_of(const report& report) {
  index lines;
  for (const task_report& table : report.tasks) {
    for (const measurement& line : table.lines) lines.try_emplace(key_of(table, line), &line);
  }
  return lines;
}

auto table_of(const key& line) {
  const auto& [task, input, bytes, cache, program, label] = line;
  return std::tie(task, input, bytes, cache);
}

const measurement* find(const index& in, const key& which) {
  const auto found = in.find(which);
  return found == in.end() ? nullptr : found->second;
}

// Nothing if either was not measured, or too coarsely for a ratio.
std::optional<double> ratio_of(const measurement* base, const measurement* other) {
  if (base == nullptr || other == nullptr || !base->measured() || !other->measured()) return std::nullopt;
  const double ratio = other->seconds.median / base->seconds.median;
  if (!std::isfinite(ratio) || ratio <= 0) return std::nullopt;
  return ratio;
}

// Whether none of riffle's code runs in it. The scan limit runs riffle's own SIMD kernel.
bool is_machines(const measurement& line) {
  return line.role == role::published || (line.is_limit() && line.sets != limit_kind::scan);
}

yardsticks yardsticks_of(const index& base, const index& other, bool cached) {
  std::vector<double> logarithms;
  for (const auto& [which, line] : base) {
    if (line->role != role::published || is_cached(std::get<cache_mode>(which)) != cached) continue;
    if (const auto ratio = ratio_of(line, find(other, which))) logarithms.push_back(std::log(*ratio));
  }
  if (logarithms.size() < fewest_yardsticks) return {.rows = logarithms.size()};
  return {logarithms.size(), std::exp(median(logarithms)), median_deviation(logarithms)};
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

// Could more runs show a change? `large`: the medians are as far from each other as those of one.
bool undecided(const summary& before, const summary& after, bool large) {
  if (!before.ci95 || !after.ci95) return true;
  return large && std::min(before.samples, after.samples) < rounds_to_judge;
}

bool broke(const measurement* line) {
  return line != nullptr &&
         (line->result.outcome == outcome::failed || line->result.outcome == outcome::wrong);
}

compared_cell cell_of(const measurement* base, const measurement* other, const yardsticks& by) {
  compared_cell cell;
  if (other != nullptr && other->measured()) cell.seconds = other->seconds.median;
  if (broke(other)) cell.change = change::failed;
  const std::optional<double> ratio = ratio_of(base, other);
  if (!ratio) return cell;
  const double drift = by.drift.value_or(1);
  cell.ratio = *ratio / drift;
  const bool large =
      std::abs(std::log(cell.ratio)) > std::max(std::log1p(smallest_change), spreads * by.spread);
  if (!large || !apart(base->seconds, other->seconds, drift)) {
    cell.change = undecided(base->seconds, other->seconds, large) ? change::undecided : change::none;
  } else if (by.drift && is_machines(*base)) {
    cell.change = change::machine;
  } else {
    cell.change = cell.ratio > 1 ? change::slower : change::faster;
  }
  return cell;
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
std::vector<std::string> differing_facts(const machine& base, const machine& other) {
  std::vector<std::string> differing;
  each_field(base, [&](const auto& field, const auto& value) {
    std::string name = field.name;
    const auto& after = std::invoke(field.get, other);
    if (value == after || name == "memory_available") return;
    std::ranges::replace(name, '_', ' ');
    differing.push_back(fmt::format("{}: {} -> {}", name, text_of_fact(value), text_of_fact(after)));
  });
  return differing;
}

// The answer of the contenders that agree with each other.
std::optional<answer> right_answer(const task_report& table) {
  for (const measurement& line : table.lines) {
    if (line.measured() && line.result.answer) return line.result.answer;
  }
  return std::nullopt;
}

// Generated inputs are the same bytes everywhere, so their counts must be the same too.
std::vector<std::string> differing_answers(const report& base, const report& other) {
  using made_input = std::tuple<task, std::string_view, std::uint64_t>;
  const auto input_of = [](const task_report& table) {
    return made_input{table.task, table.input, table.bytes};
  };
  std::map<made_input, const task_report*> made;
  for (const task_report& table : other.tasks) {
    if (table.made) made.try_emplace(input_of(table), &table);
  }
  std::vector<std::string> differing;
  std::set<std::string> seen;
  for (const task_report& table : base.tasks) {
    const auto same = made.find(input_of(table));
    if (!table.made || same == made.end()) continue;
    const auto before = right_answer(table);
    const auto after = right_answer(*same->second);
    if (!before || !after || *before == *after) continue;
    std::string text =
        fmt::format("{} on {} of {} bytes: count {}, sum {} -> count {}, sum {}", name_of(table.task),
                    table.input, table.bytes, before->count, before->sum, after->count, after->sum);
    if (seen.insert(text).second) differing.push_back(std::move(text));
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

compared_report compare_machines(const report& base, const report& other, const index& base_lines,
                                 const index& other_lines) {
  const machine& a = base.facts;
  const machine& b = other.facts;
  compared_report whole{.same_machine = is_same(a, b),
                        .facts = differing_facts(a, b),
                        .answers = differing_answers(base, other)};
  if (!whole.same_machine) return whole;
  whole.memory = yardsticks_of(base_lines, other_lines, true);
  whole.device = yardsticks_of(base_lines, other_lines, false);
  return whole;
}

// Whether `other` should have a contender that it lacks. The lines of a table follow each other in its index.
bool is_expected(const report& other, const index& other_lines, const key& which) {
  const auto& [task, input, bytes, cache, program, label] = which;
  const auto first = other_lines.lower_bound({task, input, bytes, cache, "", ""});
  return !other.complete || (first != other_lines.end() && table_of(first->first) == table_of(which));
}

compared_row row_of(const task_report& table, const measurement& line) {
  return {.task = table.task,
          .input = table.input,
          .bytes = table.bytes,
          .cache = table.cache,
          .program = line.program,
          .role = line.role,
          .label = line.label};
}

bool has_of_riffle(const comparison& comparison, change which) {
  return std::ranges::any_of(comparison.rows, [which](const compared_row& row) {
    return row.role == role::riffle && std::ranges::count(row.cells, which, &compared_cell::change) > 0;
  });
}

}  // namespace

comparison compare_reports(const std::vector<named_report>& reports) {
  comparison all;
  std::vector<index> lines;
  std::set<key> seen;
  lines.reserve(reports.size());
  for (const named_report& each : reports) lines.push_back(index_of(each.report));
  for (std::size_t i = 1; i < reports.size(); ++i) {
    all.reports.push_back(
        compare_machines(reports.front().report, reports[i].report, lines.front(), lines[i]));
  }
  for (const named_report& each : reports) {
    for (const task_report& table : each.report.tasks) {
      for (const measurement& line : table.lines) {
        const key which = key_of(table, line);
        if (!seen.insert(which).second) continue;
        compared_row row = row_of(table, line);
        const measurement* const base = find(lines.front(), which);
        if (base != nullptr && base->measured()) row.seconds = base->seconds.median;
        for (std::size_t i = 1; i < reports.size(); ++i) {
          const compared_report& whole = all.reports[i - 1];
          compared_cell cell =
              cell_of(base, find(lines[i], which), is_cached(row.cache) ? whole.memory : whole.device);
          if (row.seconds && cell.change == change::missing &&
              is_expected(reports[i].report, lines[i], which))
            cell.change = change::lost;
          row.cells.push_back(cell);
        }
        all.rows.push_back(std::move(row));
      }
    }
  }
  return all;
}

bool anything_compared(const comparison& comparison) {
  constexpr auto is_compared = [](const compared_cell& cell) {
    return cell.change != change::missing && cell.change != change::lost && cell.change != change::failed;
  };
  return std::ranges::any_of(
      comparison.rows, [&](const compared_row& row) { return std::ranges::any_of(row.cells, is_compared); });
}

bool anything_broke(const comparison& comparison) {
  return std::ranges::any_of(comparison.rows, [](const compared_row& row) {
    return row.seconds && std::ranges::count(row.cells, change::failed, &compared_cell::change) > 0;
  });
}

bool anything_lost(const comparison& comparison) {
  return has_of_riffle(comparison, change::lost);
}

bool anything_undecided(const comparison& comparison) {
  return has_of_riffle(comparison, change::undecided);
}

bool answers_differ(const comparison& comparison) {
  return std::ranges::any_of(comparison.reports,
                             [](const compared_report& each) { return !each.answers.empty(); });
}

bool slower_by_more(const comparison& comparison, double share) {
  return std::ranges::any_of(comparison.rows, [share](const compared_row& row) {
    return row.role != role::limit && std::ranges::any_of(row.cells, [share](const compared_cell& cell) {
             return cell.change == change::slower && cell.ratio > 1 + share;
           });
  });
}

}  // namespace riffle::bench
