/// A report that can be pasted into a README or an issue.
#include <fmt/core.h>

#include <algorithm>
#include <ostream>

#include "bench/judge/conclusions.hpp"
#include "bench/show/in_words.hpp"
#include "bench/show/outputs.hpp"
#include "text/columns.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

std::string escaped(char each) {
  switch (each) {
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '&':
      return "&amp;";
    default:
      return (std::string_view("\\`*_{}[]#|~@$").find(each) != std::string_view::npos ? "\\" : "") +
             std::string(1, each);
  }
}

// Text in which nothing is markup: a file's name, a reason. (GitHub Flavored Markdown, 2.4 and 4.10.) HTML is
// written as entities, as not every reader of Markdown knows a backslash before '<'.
std::string escaped(std::string_view text) {
  std::string safe;
  for (const char each : text::printable(text)) safe += escaped(each);
  return safe;
}

void write_facts(const report& report, std::ostream& out) {
  std::vector<fact> facts = facts_in_words(report.facts);
  for (fact& each : limits_in_words(report.limits)) facts.push_back(std::move(each));
  for (const fact& each : facts) out << fmt::format("- {}: {}\n", each.about, escaped(each.text));
  out << fmt::format("- run: {}seed {}{}\n\n", report.started.empty() ? "" : escaped(report.started) + ", ",
                     report.seed,
                     report.complete ? "" : ", **not complete: " + escaped(report.stopped_by) + "**");
}

void write_line(const task_report& table, const measurement& line, const standing& standing,
                std::ostream& out) {
  const std::string place = line.is_limit() ? "limit" : rank_in_words(standing);
  const std::string name = escaped(line.label);
  out << fmt::format("| {} | {} | {} | {} | {} | {} | {} | {:.0f} | {} | {} |\n", place,
                     line.role == role::riffle ? "**" + name + "**" : name, escaped(line.program),
                     text::human_seconds(line.seconds.median), half_width(line),
                     text::short_number(speed_of(table, line)), escaped(share_of_limit(line)),
                     line.usage.minor_faults, processor_time(line), peak_memory(line));
}

void write_lines(const task_report& table, const std::vector<standing>& standings, std::ostream& out) {
  out << fmt::format(
      "| rank | contender | from | median | 95% | {} | of its limit | minor faults | processor time | peak "
      "|\n"
      "|--:|---|---|--:|--:|--:|--:|--:|--:|--:|\n",
      speed_unit_of(table));
  for (std::size_t i = 0; i < table.lines.size(); ++i) {
    if (table.lines[i].measured()) write_line(table, table.lines[i], standings[i], out);
  }
  out << "\nContenders that do not differ share a rank.";
  if (lacks_ranks(table, standings)) out << " `-` instead of a rank: it cannot be told from another.";
  out << "\n\n";
}

void write_others(const task_report& table, std::ostream& out) {
  bool any = false;
  for (const measurement& line : table.lines) {
    if (line.measured()) continue;
    any = true;
    const std::string reason = line.result.reason.empty() ? "" : ": " + escaped(line.result.reason);
    out << fmt::format("- {}: {}{}\n", outcome_in_words(line), escaped(line.program + "/" + line.label),
                       reason);
  }
  if (any) out << '\n';
}

void write_task(const task_report& table, const table_conclusions& conclusions, std::ostream& out) {
  out << fmt::format("## {}: {}\n\nInput: {}\n\n", name_of(table.task), description_of(table.task),
                     input_in_words(table, escaped(table.input)));
  if (std::ranges::any_of(table.lines, &measurement::measured))
    write_lines(table, conclusions.standings, out);
  write_others(table, out);
  const verdict& verdict = conclusions.verdict;
  out << fmt::format("{}\n\n", escaped(verdict.text));
  if (!verdict.code.empty()) out << fmt::format("```cpp\n{}\n```\n\n", verdict.code);
}

}  // namespace

void write_markdown(const report& report, const conclusions& conclusions, std::ostream& out) {
  out << "# riffle bench\n\n";
  write_facts(report, out);
  for (std::size_t i = 0; i < report.tasks.size(); ++i) {
    write_task(report.tasks[i], conclusions.tables[i], out);
  }
  if (conclusions.warnings.empty()) return;
  out << "## Warnings\n\n";
  for (const warning& each : conclusions.warnings) {
    out << fmt::format("- {} {}\n", escaped(each.text), escaped(each.remedy));
  }
}

}  // namespace riffle::bench
