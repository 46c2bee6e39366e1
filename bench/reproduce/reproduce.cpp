/// Plans the published tables, runs and prints each: the figures in their author's unit, then the ratios.
#include "bench/reproduce/reproduce.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <span>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "bench/judge/claims.hpp"
#include "bench/judge/conclusions.hpp"
#include "bench/measure/plan.hpp"
#include "bench/show/outputs.hpp"
#include "bench/stats/statistics.hpp"
#include "text/columns.hpp"
#include "text/joined.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

// The columns by which a paragraph's lines are indented, from its second on.
constexpr std::size_t hanging = 2;

using cells = std::vector<std::string>;

std::string aligned(const std::vector<cells>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const cells& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string lines;
  for (const cells& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool words = i == 0 || i + 1 == row.size();
      line += "  " + (words ? text::left_aligned(row[i], widths[i]) : text::right_aligned(row[i], widths[i]));
    }
    line.erase(line.find_last_not_of(' ') + 1);
    lines += line + '\n';
  }
  return lines;
}

std::string measured_on(const task_report& results) {
  std::size_t least = 0;
  std::size_t most = 0;
  for (const measurement& line : results.lines) {
    if (!line.measured()) continue;
    least = least == 0 ? line.seconds.samples : std::min(least, line.seconds.samples);
    most = std::max(most, line.seconds.samples);
  }
  std::string rounds = most == 0 ? "nothing was measured" : fmt::format("medians of {} rounds", most);
  if (most == 1) rounds = "one round";
  if (least < most) rounds = fmt::format("medians of {} to {} rounds", least, most);
  const std::string files = results.files == 1 ? "" : fmt::format(" in {} files", results.files);
  return fmt::format("Here: {}, {}{}, {}; {}.", results.input, text::human_size(results.bytes), files,
                     description_of(results.cache), rounds);
}

std::string_view name_of(speed_unit unit) {
  switch (unit) {
    case speed_unit::mb_per_s:
      return "MB/s";
    case speed_unit::gb_per_s:
      return "GB/s";
    case speed_unit::seconds:
      return "seconds";
    case speed_unit::tenth_of_million_ints:
      return "millions of ints/s";
  }
  return {};
}

// "124", "12.4", "1.24", "0.0124"
std::string three_figures(double value) {
  if (value <= 0) return "0";
  const int digits = 2 - static_cast<int>(std::floor(std::log10(value)));
  return fmt::format("{:.{}f}", value, std::clamp(digits, 0, 7));
}

double in_unit(const published_table& table, const task_report& results, const measurement& line) {
  switch (table.unit) {
    case speed_unit::mb_per_s:
      return gb_per_s(results, line) * 1000;
    case speed_unit::gb_per_s:
      return gb_per_s(results, line);
    case speed_unit::seconds:
      return line.seconds.median * table.bytes / static_cast<double>(results.bytes);
    case speed_unit::tenth_of_million_ints: {
      const processor_seconds used = mean_processor_seconds(line);
      // Lengths are not counted: there are as many as arrays.
      const double ints = static_cast<double>(results.bytes) / 4 -
                          static_cast<double>(line.result.answer ? line.result.answer->count : 0);
      return used.user + used.system > 0 ? ints * 1e-7 / (used.user + used.system) : 0;
    }
  }
  return 0;
}

std::string here(const published_table& table, const task_report& results, std::string_view id) {
  if (const measurement* const line = measured_line(results, id))
    return three_figures(in_unit(table, results, *line));
  for (const measurement& line : results.lines) {
    if (line.program + "/" + line.name != id) continue;
    if (line.result.outcome == outcome::wrong) return "wrong";
    if (line.result.outcome == outcome::failed) return "fails";
  }
  return "-";
}

std::string published(const range& figure) {
  if (figure.low <= 0) return {};
  if (figure.low == figure.high) return three_figures(figure.low);
  return three_figures(figure.low) + " to " + three_figures(figure.high);
}

// A loop that looks at the file takes twice the time for twice the file, and page faults.
std::string about_the_walk(const task_report& results) {
  const measurement* const whole = measured_line(results, "mapped/walk-as-published");
  const measurement* const half = measured_line(results, "mapped/walk-as-published-half");
  if (whole == nullptr || half == nullptr) return {};
  const difference twice = compare(half->result.samples, whole->result.samples);
  return fmt::format(
      "The published walk takes {} for the whole file and {} for half of it, with {} page faults: {}",
      text::human_seconds(whole->seconds.median), text::human_seconds(half->seconds.median),
      text::with_commas(whole->usage.minor_faults + whole->usage.major_faults),
      twice.certain && twice.ratio > 1.5 ? "this build has kept the loop, though it touches no value."
                                         : "the compiler removed the loop, and no byte is read.");
}

/// The tables of one program that one measurement serves.
using table_group = std::span<const published_table>;

std::vector<table_group> groups_of(const std::vector<std::string>& programs) {
  for (const std::string& name : programs) {
    if (std::ranges::count(published_programs(), name) != 0) continue;
    throw std::invalid_argument(
        fmt::format("no such program '{}'; use one of {}", name, text::joined(published_programs(), ", ")));
  }
  const auto measured_as = [](const published_table& table) {
    return std::tie(table.program, table.task, table.many_files);
  };
  std::vector<table_group> groups;
  for (table_group left = published_tables(); !left.empty();) {
    const auto other = std::ranges::find_if(
        left, [&](const published_table& each) { return measured_as(each) != measured_as(left.front()); });
    const table_group next = left.first(static_cast<std::size_t>(other - left.begin()));
    if (programs.empty() || std::ranges::count(programs, left.front().program) != 0) groups.push_back(next);
    left = left.subspan(next.size());
  }
  return groups;
}

// The contenders of the figures, each once, in their order.
std::vector<contender> contenders_in(const table_group& tables, const std::vector<contender>& all) {
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

bench_plan plan_of(const std::vector<table_group>& chosen, const reproduce_options& options,
                   const registry& contenders) {
  bench_plan plan{.budget = options.budget, .seed = options.seed};
  for (const table_group& tables : chosen) {
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
  const std::vector<table_group> chosen = groups_of(options.programs);
  const auto interrupted = [&] { return outside.rounds.interrupted && outside.rounds.interrupted(); };
  surroundings run = outside;
  run.begun = [&](const report& so_far) { print_section(machine_section(so_far.facts), false, out); };
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
    print_section(warnings_section(warnings), false, out);
  }
  return failures;
}

std::string published_text(const published_table& table, const task_report& results, bool judged) {
  const std::string where = table.where.empty() ? "" : fmt::format(", {}", table.where);
  std::string text = "\n" + text::wrapped(fmt::format("{}: {}; {}, {}{}", table.name, table.work,
                                                      table.author, table.year, where),
                                          hanging);
  text += text::wrapped(measured_on(results), hanging) + "\n";
  const std::vector<checked_claim> claims = check_figures(table, results);
  std::vector<cells> rows{{std::string(name_of(table.unit)), "published", "here",
                           fmt::format("x {}", table.base_label), "here", "holds"}};
  std::string notes;
  for (const published_figure& figure : table.figures) {
    cells row{std::string(figure.label),
              published(figure.figure),
              here(table, results, figure.contender),
              published(published_times(table, figure)),
              "",
              ""};
    const auto claim = std::ranges::find(claims, &figure, &checked_claim::figure);
    if (claim != claims.end()) {
      row[4] = three_figures(claim->here.ratio);
      if (judged && claim->times.low > 0) row[5] = in_words(claim->how);
      if (judged && claim->times.low > 0 && claim->how != holding::yes) {
        if (const std::string why = cause_of(*claim, results); !why.empty())
          notes += text::wrapped(fmt::format("{}: {}.", figure.label, why), hanging);
      }
    }
    rows.push_back(std::move(row));
  }
  text += aligned(rows) + '\n' + notes;
  for (const measurement& line : results.lines) {
    if (line.result.reason.empty()) continue;
    text += text::wrapped(
        text::printable(fmt::format("{}/{}: {}.", line.program, line.name, line.result.reason)), hanging);
  }
  for (const std::string& note : {std::string(table.note), about_the_walk(results)})
    if (!note.empty()) text += text::wrapped(note, hanging);
  if (!judged) text += text::wrapped("INCOMPLETE: interrupted in this table; nothing is judged.", hanging);
  return text;
}

}  // namespace riffle::bench
