/// The report as one HTML page that needs nothing else: its order, its start, and what stands around the
/// tasks.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ostream>
#include <set>

#include "bench/judge/conclusions.hpp"
#include "bench/show/html_parts.hpp"
#include "bench/show/in_words.hpp"
#include "bench/show/outputs.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

std::string fact_of(std::string_view about, const std::string& text) {
  return fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(about), escaped(text));
}

std::string list_of(const std::string& facts) {
  return "<dl class=\"facts\">\n" + facts + "</dl>";
}

// "2026-11-21 10:00 UTC" of "2026-11-21T10:00:00Z"; other forms stay as they are.
std::string readable_date(const std::string& started) {
  if (started.size() != 20 || started[10] != 'T' || started.back() != 'Z') return started;
  return started.substr(0, 10) + " " + started.substr(11, 5) + " UTC";
}

std::string head(const report& report) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>riffle bench, {}</title>\n<style>{}</style>\n</head>\n",
      escaped(readable_date(report.started)), report_style());
}

std::string page_header(const report& report) {
  std::string about;
  for (const std::string& fact :
       {report.facts.processor, report.facts.os_release, report.facts.file_system}) {
    if (!fact.empty()) about += (about.empty() ? "" : " · ") + escaped(fact);
  }
  std::string out = fmt::format(
      "<header>\n<p class=\"kicker\">riffle bench</p>\n<h1>Which reading method is fastest on this "
      "machine?</h1>\n"
      "<p class=\"about\"><time datetime=\"{}\">{}</time>{}{}</p>\n",
      escaped(report.started), escaped(readable_date(report.started)), about.empty() ? "" : " · ", about);
  if (!report.complete) {
    out += "<p class=\"banner\" role=\"note\"><strong>Not complete:</strong> " + escaped(report.stopped_by) +
           ". This page shows what was measured before.</p>\n";
  }
  return out;
}

struct link {
  std::string id;
  std::string text;
};

std::string contents(const std::vector<link>& links, const std::string& body) {
  std::string items;
  for (const link& each : links) {
    if (body.find(fmt::format("id=\"{}\"", each.id)) == std::string::npos) continue;
    fmt::format_to(std::back_inserter(items), "<li><a href=\"#{}\">{}</a></li>\n", each.id,
                   escaped(each.text));
  }
  return "<nav aria-label=\"Contents\"><ul>\n" + items + "</ul></nav>\n</header>\n";
}

std::string page_footer(const report& report) {
  return fmt::format(
      "<footer>\n<p>Made by riffle {0} with seed {1}. To repeat the run order: <code>riffle bench --seed "
      "{1}</code>. <code>riffle bench --json</code> writes every run.</p>\n</footer>\n",
      escaped(report.facts.version), report.seed);
}

std::vector<page_section> sections_of(const report& report, const conclusions& conclusions) {
  std::vector<page_section> sections;
  for (std::size_t i = 0; i < report.tasks.size(); ++i) {
    const task_report& table = report.tasks[i];
    const shown_table shown{&table, &conclusions.tables[i]};
    const auto same = std::ranges::find_if(sections, [&](const page_section& each) {
      const task_report& other = each.largest();
      return other.task == table.task && other.input == table.input && other.cache == table.cache;
    });
    if (same != sections.end()) {
      same->sizes.push_back(shown);
      continue;
    }
    sections.push_back(
        {.id = fmt::format("task-{}", sections.size() + 1),
         .title = fmt::format("{} on {}, {}", name_of(table.task), table.input, name_of(table.cache)),
         .sizes = {shown}});
  }
  for (page_section& each : sections) {
    std::ranges::stable_sort(each.sizes, {}, [](const shown_table& size) { return size.table->bytes; });
    if (each.sweep()) each.title += ", by size";
  }
  return sections;
}

std::string overview(const std::vector<page_section>& sections) {
  std::vector<bar> bars;
  for (const page_section& section : sections) add_overview(section.largest(), section.title, bars);
  return figure(bar_chart({.id = "overview",
                           .title = "Speed of each task",
                           .description = "For each task: riffle's automatic choice, the best contender that "
                                          "is not riffle, and the limit. The table below has every verdict."},
                          "GB/s", bars),
                "Longer is faster: riffle’s automatic choice, the best that is not riffle, and the limit.");
}

std::string verdicts(const std::vector<page_section>& sections) {
  std::string rows;
  for (const page_section& section : sections) {
    const verdict& verdict = section.conclusions().verdict;
    if (verdict.text.empty()) continue;
    fmt::format_to(std::back_inserter(rows),
                   R"(<tr><th scope="row"><a href="#{}">{}</a>{}</th><td class="wide">{}{}</td></tr>)"
                   "\n",
                   section.id, escaped(section.title),
                   section.sweep() ? ": " + text::human_size(section.largest().bytes) : "",
                   escaped(verdict.text),
                   verdict.code.empty() ? "" : "<br><code>" + escaped(verdict.code) + "</code>");
  }
  return section_of("verdict", "In short",
                    rows.empty()
                        ? "<p>Nothing was measured.</p>\n"
                        : overview(sections) + table_of(R"( class="verdicts")",
                                                        "What is fastest, and the line of C++ for it",
                                                        {"Task", "|Verdict"}, rows));
}

std::string warning_list(const std::vector<warning>& warnings) {
  std::string items;
  for (const warning& each : warnings) {
    items += fmt::format("<li><p><strong>{}</strong></p><p>{}</p></li>\n", escaped(each.text),
                         escaped(each.remedy));
  }
  if (items.empty()) return items;
  return section_of("warnings", "Before you trust these figures",
                    "<ul class=\"warnings\">\n" + items + "</ul>");
}

std::string machine_section(const report& report) {
  std::string facts;
  for (const fact& each : facts_in_words(report.facts)) facts += fact_of(each.about, each.text);
  for (const fact& each : limits_in_words(report.limits)) facts += fact_of(each.about, each.text);
  facts += fact_of(
      "run", fmt::format("load {} as it began, {} % of the time taken by the host",
                         text::short_number(report.load), text::short_number(report.stolen_share * 100)));
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

}  // namespace

void add_overview(const task_report& table, const std::string& heading, std::vector<bar>& bars) {
  const auto add = [&](bar each) {
    each.heading = heading;
    bars.push_back(std::move(each));
  };
  const auto best = [&](role of) {
    const auto found = std::ranges::find_if(
        table.lines, [of](const measurement& line) { return line.measured() && line.role == of; });
    return found == table.lines.end() ? nullptr : &*found;
  };
  const measurement* const automatic = automatic_of(table);
  const measurement* const own = automatic != nullptr ? automatic : best(role::riffle);
  if (own != nullptr) {
    add(bar_of(table, *own));
    bars.back().label = "riffle, " + own->label;
  }
  if (const measurement* const other = best(role::published)) add(bar_of(table, *other));
  if (own != nullptr && own->limit && own->limit->seconds > 0)
    add({.label = fmt::format("limit: {}", name_of(own->limit->kind)),
         .group = series_group::limit,
         .value = static_cast<double>(table.bytes) * 1e-9 / own->limit->seconds});
}

std::string section_of(std::string_view id, std::string_view title, const std::string& content) {
  return fmt::format("<section><h2 id=\"{}\">{}</h2>\n{}</section>\n", id, title, content);
}

std::string figure(const std::string& chart, std::string_view caption) {
  if (chart.empty()) return {};
  return fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", chart, caption);
}

std::string table_of(std::string_view attributes, const std::string& caption,
                     const std::vector<std::string>& headings, const std::string& rows) {
  std::string head;
  for (const std::string_view each : headings) {
    const bool text = each.starts_with('|');
    head += fmt::format(R"(<th scope="col"{}>{}</th>)", text ? R"( class="text")" : "",
                        each.substr(text ? 1 : 0));
  }
  return fmt::format(R"(<div class="scroll" role="region" tabindex="0" aria-label="{0}"><table{1}>)"
                     "<caption>{0}</caption><thead><tr>{2}</tr></thead><tbody>\n{3}</tbody></table></div>\n",
                     caption, attributes, head, rows);
}

std::string row_start(const measurement& line, std::string_view name) {
  return fmt::format(R"(<tr class="{}"><th scope="row">{}</th>)", class_of(group_of(line)), escaped(name));
}

std::string cells_of(std::initializer_list<std::string> texts) {
  std::string cells;
  for (const std::string& each : texts) cells += "<td>" + each + "</td>";
  return cells;
}

void write_html(const report& report, const conclusions& conclusions, std::ostream& out) {
  const std::vector<page_section> sections = sections_of(report, conclusions);
  std::string body = verdicts(sections) + warning_list(conclusions.warnings);
  for (const page_section& each : sections) body += task_section(each);
  body += machine_section(report) + contenders_section(report) + reading_section();
  std::vector<link> links{{"verdict", "In short"}, {"warnings", "Warnings"}};
  for (const page_section& each : sections) links.push_back({each.id, each.title});
  links.insert(links.end(),
               {{"machine", "Machine"}, {"contenders", "Contenders"}, {"reading", "How to read this"}});
  out << head(report) << "<body>\n"
      << page_header(report) << contents(links, body) << "<main>\n"
      << body << "</main>\n"
      << page_footer(report) << "</body>\n</html>\n";
}

}  // namespace riffle::bench
