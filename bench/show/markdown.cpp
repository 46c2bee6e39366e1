/// A report that can be pasted into a README or an issue.
#include <fmt/core.h>

#include <ostream>

#include "bench/judge/code.hpp"
#include "bench/judge/figures.hpp"
#include "bench/judge/ranks.hpp"
#include "bench/judge/verdict.hpp"
#include "bench/judge/warnings.hpp"
#include "bench/show/in_words.hpp"
#include "bench/show/outputs.hpp"
#include "text/columns.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

// Text in which nothing is markup: a file's name, a reason. (GitHub Flavored Markdown, 2.4 and 4.10.)
std::string escaped(std::string_view text) {
  std::string safe;
  for (const char each : text::printable(text)) {
    if (std::string_view("\\`*_{}[]<>#|~&@$").find(each) != std::string_view::npos) safe += '\\';
    safe += each;
  }
  return safe;
}

void write_facts(const report& all, std::ostream& out) {
  std::vector<fact> facts = facts_in_words(all.facts);
  for (fact& each : limits_in_words(all.limits)) facts.push_back(std::move(each));
  for (const fact& each : facts) out << fmt::format("- {}: {}\n", each.about, escaped(each.text));
  out << fmt::format("- run: {}seed {}{}\n\n", all.started.empty() ? "" : escaped(all.started) + ", ",
                     all.seed, all.complete ? "" : ", **not complete: " + escaped(all.stopped_by) + "**");
}

void write_line(const task_report& of, const measurement& line, unsigned rank, std::ostream& out) {
  const std::string place = line.is_limit() ? "limit" : rank == 0 ? "-" : std::to_string(rank);
  const std::string name = escaped(line.label);
  out << fmt::format("| {} | {} | {} | {} | {} | {} | {} | {:.0f} |\n", place,
                     line.program == "riffle" ? "**" + name + "**" : name, escaped(line.program),
                     text::human_seconds(line.seconds.median), half_width(line),
                     text::short_number(gb_per_s(of, line)), escaped(share_of_limit(line)),
                     line.usage.minor_faults);
}

void write_lines(const task_report& of, std::ostream& out) {
  out << "| rank | contender | from | median | 95% | GB/s | of its limit | minor faults |\n"
         "|--:|---|---|--:|--:|--:|--:|--:|\n";
  const std::vector<unsigned> ranks = ranks_of(of);
  for (std::size_t i = 0; i < of.lines.size(); ++i) {
    if (of.lines[i].measured()) write_line(of, of.lines[i], ranks[i], out);
  }
  out << "\nContenders of one rank do not differ from its first beyond the noise.\n\n";
}

void write_others(const task_report& of, std::ostream& out) {
  bool any = false;
  for (const measurement& line : of.lines) {
    if (line.measured()) continue;
    any = true;
    const std::string reason = line.result.reason.empty() ? "" : ": " + escaped(line.result.reason);
    out << fmt::format("- {}: {}{}\n", outcome_in_words(line), escaped(line.program + "/" + line.label),
                       reason);
  }
  if (any) out << '\n';
}

void write_task(const report& all, const task_report& of, std::ostream& out) {
  out << fmt::format("## {}: {}\n\n{}\n\n", name_of(of.task), description_of(of.task),
                     input_in_words(of, escaped(of.input)));
  bool measured = false;
  for (const measurement& line : of.lines) measured = measured || line.measured();
  if (measured) write_lines(of, out);
  write_others(of, out);
  const verdict said = verdict_of(all, of);
  out << fmt::format("{}\n\n", escaped(said.text));
  if (const std::string_view introduction = introduction_of_code(of); !introduction.empty())
    out << fmt::format("{}\n\n", introduction);
  if (!said.code.empty()) out << fmt::format("```cpp\n{}\n```\n\n", said.code);
}

}  // namespace

void write_markdown(const report& all, std::ostream& out) {
  out << "# riffle bench\n\n";
  write_facts(all, out);
  for (const task_report& of : all.tasks) write_task(all, of, out);
  if (all.warnings.empty()) return;
  out << "## Warnings\n\n";
  for (const warning& each : all.warnings) {
    out << fmt::format("- {} {}\n", escaped(text_of(each)), escaped(remedy_of(each)));
  }
}

}  // namespace riffle::bench
