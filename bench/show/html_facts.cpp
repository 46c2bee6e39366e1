/// The sections of the HTML page around the tasks: published figures, machine, contenders, and how to read it
/// all.
#include <fmt/format.h>

#include <set>

#include "bench/show/html_parts.hpp"
#include "bench/show/in_words.hpp"
#include "bench/show/markup.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

std::string fact_of(std::string_view about, const std::string& text) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(about), escaped(text));
}

std::string list_of(const std::string& facts) {
  return "<dl class=\"facts\">\n" + facts + "</dl>";
}

std::string times_text(const range& published) {
  const std::string low = text::short_number(published.low);
  return (published.low == published.high ? low : low + " to " + text::short_number(published.high)) +
         " times";
}

std::string claim_row(const page_section& section, const checked_claim& each) {
  const published_table& said = *each.table;
  return fmt::format(
      R"(<tr><th scope="row">{}, {}{}</th><td class="text">{}</td><td class="text">{} against {}</td>)"
      R"(<td>{}</td><td data-value="{}">{}</td><td class="text">{}</td></tr>)"
      "\n",
      said.year, escaped(said.author), said.where.empty() ? "" : ", " + escaped(said.where),
      escaped(section.title), escaped(each.figure->contender),
      escaped(each.figure->against.empty() ? said.base : each.figure->against), times_text(each.times),
      plain_number(each.here.ratio),
      each.here.certain ? text::short_number(each.here.ratio) + " times" : std::string(in_words(each.here)),
      in_words(each.how));
}

}  // namespace

std::string published_section(const std::vector<page_section>& sections) {
  std::string rows;
  for (const page_section& section : sections) {
    for (const checked_claim& each : section.conclusions().claims) rows += claim_row(section, each);
  }
  if (rows.empty()) return {};
  const std::string title = "Published figures beside those of this run";
  return section_of(
      "published", title,
      "<p class=\"about\">The speed of the first contender divided by that of the second, as published and "
      "in this run. Below 1 the first is slower.</p>\n" +
          table_of("", title, {"Published", "|Measured here on", "|Contenders", "Then", "Here", "|Holds"},
                   rows));
}

std::string machine_section(const report& report) {
  std::string facts;
  for (const fact& each : facts_in_words(report.facts)) facts += fact_of(each.about, each.text);
  for (const fact& each : limits_in_words(report.limits)) facts += fact_of(each.about, each.text);
  facts += fact_of(
      "run", fmt::format("load {} as it began, {} % of the time taken by the host, clock ticks of {} ns",
                         text::short_number(report.load), text::short_number(report.stolen_share * 100),
                         text::short_number(report.tick_ns)));
  return section_of("machine", "The machine", list_of(facts) + "\n");
}

std::string contenders_section(const report& report) {
  std::string content;
  for (const task which : all_tasks) {
    std::string facts;
    std::set<std::string> seen;
    for (const task_report& table : report.tasks) {
      for (const measurement& line : table.lines) {
        const std::string id = line.program + "/" + line.name;
        if (table.task == which && !line.description.empty() && seen.insert(id).second)
          facts += fact_of(id, line.description);
      }
    }
    if (!facts.empty())
      content += fmt::format("<details><summary>{}: {}</summary>{}</details>\n", name_of(which),
                             description_of(which), list_of(facts));
  }
  return content.empty() ? content : section_of("contenders", "What each contender does", content);
}

std::string reading_section() {
  return section_of("reading", "How to read this", R"(
<p><strong>Median.</strong> Half of a contender’s runs were faster, half slower. All contenders ran in turn, round after
round, in a new order each time, so that a slow phase of the machine slows all of them.</p>
<p><strong>95&nbsp;% interval.</strong> The true median lies in it with that confidence, for any distribution of the
times. “No difference” means that the ratio of two contenders lies within 5&nbsp;% of 1: take the simpler one. “Too few
rounds”: use a longer --time. “Cannot be told apart”: their runs vary too much for that.</p>
<p><strong>Limit.</strong> What the machine can do with the same bytes: scan them in memory, copy them, or fetch them from the
device. Each contender is given as a share of the slowest limit that it cannot avoid. Near 100&nbsp;% another method
gains nothing.</p>
<p><strong>Verified.</strong> All contenders of a task must give the same answer. One that does not is reported as wrong, and
its time does not count.</p>)");
}

}  // namespace riffle::bench
