/// Plans the published tables, runs and prints each.
#include "bench/reproduce/reproduce.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <stdexcept>

#include "bench/judge/warnings.hpp"
#include "bench/measure/plan.hpp"
#include "bench/reproduce/published_table.hpp"
#include "bench/show/outputs.hpp"
#include "text/columns.hpp"
#include "text/joined.hpp"

namespace riffle::bench {

namespace {

constexpr std::array tables{
    published_table{"nvwa", "nvwa, bytes", task::gc, 0, 25, nvwa_bytes_ids, nvwa_bytes_text},
    published_table{"nvwa", "nvwa, lines", task::lines, 0, 35, nvwa_lines_ids, nvwa_lines_text},
    published_table{"ioaccess", "ioaccess", task::ints, 0, 15, ioaccess_ids, ioaccess_text},
    published_table{"mapped", "mapped", task::primes, 0, 15, mapped_ids, mapped_text},
    published_table{"wc_measurements", "wc_measurements, one file", task::words, 0, 50, wordcount_ids,
                    wordcount_text},
    published_table{"wc_measurements", "wc_measurements, 185 files", task::words, 1, 40, wordcount_ids,
                    wordcount_text},
};

std::vector<published_table> wanted(const std::vector<std::string>& programs) {
  for (const std::string& name : programs) {
    if (std::ranges::count(tables, name, &published_table::program) != 0) continue;
    throw std::invalid_argument(
        fmt::format("no such program '{}'; use one of {}", name, text::joined(published_programs(), ", ")));
  }
  std::vector<published_table> chosen;
  for (const published_table& table : tables) {
    if (programs.empty() || std::ranges::count(programs, table.program) != 0) chosen.push_back(table);
  }
  return chosen;
}

// The contenders of a table, in the order of its rows.
std::vector<contender> rows_of(const published_table& table, const std::vector<contender>& all) {
  std::vector<contender> chosen;
  for (const std::string_view id : table.ids()) {
    const auto found = std::ranges::find_if(all, [&](const contender& one) { return one.id() == id; });
    if (found != all.end()) chosen.push_back(*found);
  }
  return chosen;
}

// Tables of one task follow each other: its contenders are asked for once, and its inputs generated once.
bench_plan plan_of(const std::vector<published_table>& chosen, const reproduce_options& options,
                   const registry& contenders) {
  bench_plan plan{.budget = options.budget, .seed = options.seed};
  std::vector<contender> all;
  for (const published_table& table : chosen) {
    if (plan.tables.empty() || plan.tables.back().task != table.task) {
      all = contenders(table.task, {});
      add_walks(table.task, all);
    }
    plan.tables.push_back({.task = table.task,
                           .size = options.size,
                           .which = table.input,
                           .contenders = rows_of(table, all),
                           .share = table.share});
  }
  return plan;
}

}  // namespace

std::span<const published_table> published_tables() {
  return tables;
}

std::vector<std::string_view> published_programs() {
  std::vector<std::string_view> names;
  for (const published_table& table : tables) {
    if (std::ranges::count(names, table.program) == 0) names.push_back(table.program);
  }
  return names;
}

std::vector<std::string> reproduce(const reproduce_options& options, const reproduce_surroundings& outside,
                                   std::ostream& out) {
  const std::vector<published_table> chosen = wanted(options.programs);
  const auto interrupted = [&] { return outside.rounds.interrupted && outside.rounds.interrupted(); };
  surroundings run = outside;
  run.begun = [&](const report& so_far) { print_machine(so_far.facts, out); };
  run.measured = [&](const report& so_far) {
    const task_report& measured = so_far.tasks.back();
    table_text text = chosen.at(so_far.tasks.size() - 1).text(measured);
    if (interrupted()) text.claims = {"INCOMPLETE: interrupted in this table; its claims are not judged."};
    if (outside.progress) outside.progress("");
    out << in_80_columns(text, measured) << std::flush;
  };
  report all = run_bench(plan_of(chosen, options, outside.contenders), run);
  std::vector<std::string> failures = failures_of(all);
  if (!all.complete && !interrupted()) failures.push_back(all.stopped_by);
  std::vector<std::string_view> missing;
  for (std::size_t i = all.tasks.size(); i < chosen.size(); ++i) missing.push_back(chosen[i].name);
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
