/// Plans the published tables, runs and prints each.
#include "bench/reproduce/reproduce.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <ostream>
#include <span>
#include <stdexcept>
#include <tuple>

#include "bench/judge/conclusions.hpp"
#include "bench/measure/plan.hpp"
#include "bench/show/outputs.hpp"
#include "text/columns.hpp"
#include "text/joined.hpp"

namespace riffle::bench {

namespace {

/// The tables of one program that one measurement serves.
using group = std::span<const published_table>;

std::vector<group> groups_of(const std::vector<std::string>& programs) {
  for (const std::string& name : programs) {
    if (std::ranges::count(published_programs(), name) != 0) continue;
    throw std::invalid_argument(
        fmt::format("no such program '{}'; use one of {}", name, text::joined(published_programs(), ", ")));
  }
  const auto measured_as = [](const published_table& table) {
    return std::tie(table.program, table.task, table.many_files);
  };
  std::vector<group> groups;
  for (group left = published_tables(); !left.empty();) {
    const auto other = std::ranges::find_if(
        left, [&](const published_table& each) { return measured_as(each) != measured_as(left.front()); });
    const group next = left.first(static_cast<std::size_t>(other - left.begin()));
    if (programs.empty() || std::ranges::count(programs, left.front().program) != 0) groups.push_back(next);
    left = left.subspan(next.size());
  }
  return groups;
}

// The contenders of the figures, each once, in their order.
std::vector<contender> contenders_in(const group& tables, const std::vector<contender>& all) {
  std::vector<contender> chosen;
  for (const published_table& table : tables) {
    for (const published_figure& figure : table.figures) {
      const auto found = std::ranges::find(all, figure.contender, &contender::id);
      if (found != all.end() && std::ranges::count(chosen, figure.contender, &contender::id) == 0)
        chosen.push_back(*found);
    }
  }
  return chosen;
}

bench_plan plan_of(const std::vector<group>& chosen, const reproduce_options& options,
                   const registry& contenders) {
  bench_plan plan{.budget = options.budget, .seed = options.seed};
  for (const group& tables : chosen) {
    const published_table& first = tables.front();
    std::vector<contender> all = contenders(first.task, {});
    add_walks(first.task, all);
    plan.tables.push_back({.task = first.task,
                           .size = options.size,
                           .which = first.many_files ? 1U : 0U,
                           .contenders = contenders_in(tables, all),
                           .share = first.share});
  }
  return plan;
}

}  // namespace

std::vector<std::string_view> published_programs() {
  std::vector<std::string_view> names;
  for (const published_table& table : published_tables()) {
    if (std::ranges::count(names, table.program) == 0) names.push_back(table.program);
  }
  return names;
}

std::vector<std::string> reproduce(const reproduce_options& options, const reproduce_surroundings& outside,
                                   std::ostream& out) {
  const std::vector<group> chosen = groups_of(options.programs);
  const auto interrupted = [&] { return outside.rounds.interrupted && outside.rounds.interrupted(); };
  surroundings run = outside;
  run.begun = [&](const report& so_far) { print_machine(so_far.facts, out); };
  run.measured = [&](const report& so_far) {
    const task_report& measured = so_far.tasks.back();
    if (outside.progress) outside.progress("");
    for (const published_table& table : chosen.at(so_far.tasks.size() - 1))
      out << published_text(table, measured, !interrupted());
    out << std::flush;
  };
  report all = run_bench(plan_of(chosen, options, outside.contenders), run);
  std::vector<std::string> failures = failures_of(all);
  if (!all.complete && !interrupted()) failures.push_back(all.stopped_by);
  std::vector<std::string_view> missing;
  for (std::size_t i = all.tasks.size(); i < chosen.size(); ++i) missing.push_back(chosen[i].front().name);
  if (!missing.empty())
    out << '\n'
        << text::wrapped(
               fmt::format("INCOMPLETE: {}; not measured: {}.", all.stopped_by, text::joined(missing, "; ")),
               2);
  // Walks have no answer, and are not judged.
  for (task_report& table : all.tasks)
    std::erase_if(table.lines, [](const measurement& line) { return !line.result.answer; });
  if (const std::vector<warning> warnings = warnings_of(all); !warnings.empty()) {
    out << '\n';
    print_warnings(warnings, false, out);
  }
  return failures;
}

}  // namespace riffle::bench
