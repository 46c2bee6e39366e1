/// Makes each published table's input, runs its contenders and has it printed.
#include "bench/reproduce/reproduce.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <stdexcept>

#include "bench/host/cache.hpp"
#include "bench/host/temporary_directory.hpp"
#include "bench/inputs/inputs.hpp"
#include "bench/judge/warnings.hpp"
#include "bench/measure/measurements.hpp"
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
    throw std::invalid_argument(fmt::format("no published program is called '{}'; there are {}", name,
                                            text::joined(published_programs(), ", ")));
  }
  std::vector<published_table> chosen;
  for (const published_table& table : tables) {
    if (programs.empty() || std::ranges::count(programs, table.program) != 0) chosen.push_back(table);
  }
  return chosen;
}

/// One run of `reproduce`: the inputs of a task are made once for all its tables.
class reproduction {
 public:
  reproduction(const reproduce_options& options, const reproduce_surroundings& outside)
      : options_(options),
        outside_(outside),
        directory_(std::in_place),
        before_(outside.conditions()),
        report_{.facts = outside.facts(directory_->path()),
                .tick_ns = tick_of(outside.rounds.now),
                .load = before_.load},
        start_(outside.rounds.now()) {}

  const machine& facts() const { return report_.facts; }

  // Of what has been measured so far. Walks, which have no answer, are no part of the race.
  std::vector<warning> warnings() {
    report_.stolen_share = stolen_share(before_, outside_.conditions(), report_.facts.processors_online);
    for (task_report& of : report_.tasks)
      std::erase_if(of.lines, [](const measurement& line) { return !line.result.answer; });
    return warnings_of(report_);
  }

  // `share_left`: of this table and those that follow.
  const task_report& measure(const published_table& table, double share_left) {
    tell(fmt::format("{}: making its input", table.name));
    make(table.task);
    const input& on = inputs_.at(table.input);
    const std::vector<contender> contenders = contenders_for(table);
    round_hooks hooks = outside_.rounds;
    hooks.prepare = prepare_cache(cache_mode::hot, on.files);
    hooks.tell = [&](const contender& one, unsigned round, double left) {
      tell(fmt::format("{}: {}, round {}, {:.0f} s left for this table", table.name, one.id(), round, left));
    };
    const double left = std::max(options_.budget - elapsed(), 0.0);
    const round_options rounds{.budget = left * table.share / share_left, .seed = options_.seed};
    std::vector<result> results = run_rounds(contenders, on.files, rounds, hooks).whole();
    tell("");
    report_.tasks.push_back({.task = table.task,
                             .input = on.name,
                             .files = on.files.size(),
                             .bytes = on.bytes,
                             .made = true,
                             .lines = in_order(contenders, std::move(results), cache_mode::hot)});
    return report_.tasks.back();
  }

 private:
  void tell(const std::string& what) const {
    if (outside_.progress) outside_.progress(what);
  }
  double elapsed() const { return static_cast<double>(outside_.rounds.now() - start_) * 1e-9; }

  void make(task which) {
    if (made_ == which) return;
    made_.reset();
    inputs_.clear();
    directory_.emplace();  // the one before, with its files, goes away
    inputs_ = make_inputs(which, options_.size, directory_->path());
    made_ = which;
  }

  // In the order of the table's rows.
  std::vector<contender> contenders_for(const published_table& table) const {
    std::vector<contender> all = outside_.contenders(table.task, {});
    add_walks(table.task, all);
    std::vector<contender> chosen;
    for (const std::string_view id : table.ids()) {
      const auto found = std::ranges::find_if(all, [&](const contender& one) { return one.id() == id; });
      if (found != all.end()) chosen.push_back(*found);
    }
    return chosen;
  }

  const reproduce_options& options_;
  const reproduce_surroundings& outside_;
  std::optional<temporary_directory> directory_;  // of the inputs
  conditions before_;
  report report_;
  std::int64_t start_;
  std::optional<task> made_;  // whose inputs there are
  std::vector<input> inputs_;
};

}  // namespace

std::span<const published_table> published_tables() {
  return tables;
}

std::vector<std::string> published_programs() {
  std::vector<std::string> names;
  for (const published_table& table : tables) {
    if (std::ranges::count(names, table.program) == 0) names.emplace_back(table.program);
  }
  return names;
}

std::vector<std::string> reproduce(const reproduce_options& options, const reproduce_surroundings& outside,
                                   std::ostream& out) {
  const std::vector<published_table> chosen = wanted(options.programs);
  double share_left = 0;
  for (const published_table& table : chosen) share_left += table.share;
  reproduction run(options, outside);
  print_machine(run.facts(), out);
  const auto interrupted = [&] { return outside.rounds.interrupted && outside.rounds.interrupted(); };
  std::vector<std::string> failures;
  std::vector<std::string_view> missing;
  for (const published_table& table : chosen) {
    if (interrupted()) {
      missing.push_back(table.name);
      continue;
    }
    const task_report& measured = run.measure(table, share_left);
    share_left -= table.share;
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
