/// Plans the published tables, runs and prints each.
#include "bench/reproduce/reproduce.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <stdexcept>

#include "bench/host/cache.hpp"
#include "bench/host/temporary_directory.hpp"
#include "bench/judge/warnings.hpp"
#include "bench/measure/measurements.hpp"
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

/// One run of `reproduce`: the plan, and what was measured of it so far.
class reproduction {
 public:
  reproduction(const bench_plan& plan, const reproduce_surroundings& outside)
      : plan_(plan),
        outside_(outside),
        before_(outside.conditions()),
        report_{.facts = outside.facts(directory_.path()),
                .tick_ns = tick_of(outside.rounds.now),
                .load = before_.load},
        start_(outside.rounds.now()) {}

  const machine& facts() const { return report_.facts; }

  // Judges what was measured so far. Walks have no answer, and are left out.
  std::vector<warning> warnings() {
    report_.stolen_share = stolen_share(before_, outside_.conditions(), report_.facts.processors_online);
    for (task_report& table : report_.tasks)
      std::erase_if(table.lines, [](const measurement& line) { return !line.result.answer; });
    return warnings_of(report_);
  }

  const task_report& measure(std::size_t table, std::string_view name) {
    tell(fmt::format("{}: generating its input", name));
    const planned_table& planned = plan_.tables.at(table);
    const input& from = inputs_.of(planned);
    round_hooks hooks = outside_.rounds;
    hooks.prepare = prepare_cache(planned.cache, from.files);
    hooks.tell = [&](const contender& one, unsigned round, double left) {
      tell(fmt::format("{}: {}, round {}, {:.0f} s left for this table", name, one.id(), round, left));
    };
    const round_options rounds = rounds_of(plan_, table, std::max(plan_.budget - elapsed(), 0.0));
    std::vector<result> results = run_rounds(planned.contenders, from.files, rounds, hooks).whole();
    tell("");
    report_.tasks.push_back({.task = planned.task,
                             .input = from.name,
                             .files = from.files.size(),
                             .bytes = from.bytes,
                             .made = true,
                             .lines = in_order(planned.contenders, std::move(results), planned.cache)});
    return report_.tasks.back();
  }

 private:
  void tell(const std::string& what) const {
    if (outside_.progress) outside_.progress(what);
  }
  double elapsed() const { return static_cast<double>(outside_.rounds.now() - start_) * 1e-9; }

  const bench_plan& plan_;
  const reproduce_surroundings& outside_;
  temporary_directory directory_;
  planned_inputs inputs_{directory_.path(), outside_.rounds.interrupted};
  conditions before_;
  report report_;
  std::int64_t start_;
};

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
  const bench_plan plan = plan_of(chosen, options, outside.contenders);
  reproduction run(plan, outside);
  print_machine(run.facts(), out);
  const auto interrupted = [&] { return outside.rounds.interrupted && outside.rounds.interrupted(); };
  std::vector<std::string> failures;
  std::vector<std::string_view> missing;
  for (std::size_t place = 0; place < chosen.size(); ++place) {
    const published_table& table = chosen[place];
    if (interrupted()) {
      missing.push_back(table.name);
      continue;
    }
    const task_report& measured = run.measure(place, table.name);
    table_text text = table.text(measured);
    if (interrupted()) text.claims = {"INCOMPLETE: interrupted in this table; its claims are not judged."};
    out << in_80_columns(text, measured) << std::flush;
    for (const measurement& line : measured.lines) {
      if (line.result.outcome != outcome::failed && line.result.outcome != outcome::wrong) continue;
      failures.push_back(
          fmt::format("{}: {}/{} {}", table.name, line.program, line.name, line.result.reason));
    }
  }
  if (!missing.empty())
    out << '\n'
        << text::wrapped(
               fmt::format("INCOMPLETE: interrupted; not measured: {}.", text::joined(missing, "; ")), 2);
  if (const std::vector<warning> warnings = run.warnings(); !warnings.empty()) {
    out << '\n';
    print_warnings(warnings, false, out);
  }
  return failures;
}

}  // namespace riffle::bench
