/// The report as one HTML page that needs nothing else: its order, its head, its start.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ostream>

#include "bench/judge/figures.hpp"
#include "bench/judge/warnings.hpp"
#include "bench/show/html_parts.hpp"
#include "bench/show/html_style.hpp"
#include "bench/show/markup.hpp"
#include "bench/show/outputs.hpp"
#include "text/joined.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

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

// A page that a mail takes and a phone shows; the head, the start and the end of it have the rest of 500 KB.
constexpr std::size_t most_bytes = 470000;

// All sections in so many bytes, or in as few as there can be. From the last one up they lose their charts,
// then rows, then tables.
std::string tasks_within(std::size_t room, const std::vector<page_section>& sections) {
  std::vector<std::string> texts;
  std::size_t all = 0;
  for (const page_section& each : sections)
    all += texts.emplace_back(task_section(each, page_detail::full)).size();
  for (const page_detail less : {page_detail::no_charts, page_detail::few_rows, page_detail::no_table}) {
    for (std::size_t i = sections.size(); i-- > 0 && all > room;) {
      all -= texts[i].size();
      texts[i] = task_section(sections[i], less);
      all += texts[i].size();
    }
  }
  return text::joined(texts, "");
}

std::string page_footer(const report& report) {
  return fmt::format(
      "<footer>\n<p>Made by riffle {0} with seed {1}. To repeat the run order: "
      "<code>riffle bench --seed {1}</code>. <code>riffle bench --json</code> writes every run; <code>riffle "
      "bench compare</code> compares two such files.</p>\n</footer>\n",
      escaped(report.facts.version), report.seed);
}

}  // namespace

std::vector<page_section> sections_of(const report& report, const conclusions& conclusions) {
  std::vector<page_section> sections;
  for (std::size_t i = 0; i < report.tasks.size(); ++i) {
    const task_report& table = report.tasks[i];
    const shown_table shown{&table, &conclusions.tables[i]};
    const auto same = std::ranges::find_if(sections, [&](const page_section& each) {
      const task_report& other = each.largest();
      return table.varies_size && other.varies_size && other.task == table.task &&
             other.input == table.input && other.cache == table.cache;
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

namespace {

// riffle's automatic choice, the best contender that is not riffle, and the limit that binds the choice.
std::vector<bar> overview_of(const page_section& section) {
  const task_report& table = section.largest();
  const auto found = [&](const auto& belongs) { return std::ranges::find_if(table.lines, belongs); };
  const auto automatic = found([](const measurement& line) {
    return line.measured() && line.role == role::riffle && line.name == "automatic" && line.threads == 1;
  });
  const auto other =
      found([](const measurement& line) { return line.measured() && line.role == role::published; });
  std::vector<bar> bars;
  for (const auto& line : {automatic, other}) {
    if (line == table.lines.end()) continue;
    bars.push_back({.prefix = prefix_of(*line),
                    .label = line == automatic ? "riffle, automatic" : line->label,
                    .group = group_of(*line),
                    .value = gb_per_s(table, *line),
                    .ci95 = gb_per_s_interval(table, *line)});
  }
  if (automatic != table.lines.end() && automatic->limit && automatic->limit->seconds > 0) {
    bars.push_back({.label = fmt::format("limit: {}", name_of(automatic->limit->kind)),
                    .group = series_group::limit,
                    .value = static_cast<double>(table.bytes) * 1e-9 / automatic->limit->seconds});
  }
  for (bar& each : bars) each.heading = section.title;
  return bars;
}

}  // namespace

std::string overview(const std::vector<page_section>& sections) {
  std::vector<bar> bars;
  for (const page_section& section : sections)
    std::ranges::move(overview_of(section), std::back_inserter(bars));
  const std::string chart = bar_chart(
      {.id = "overview",
       .title = "Speed of each task",
       .description =
           "For each task: riffle's automatic choice, the best contender that is not riffle, and the "
           "limit. The table below has every verdict."},
      "GB/s", bars);
  return chart.empty() ? chart
                       : "<figure>\n" + chart +
                             "<figcaption>Longer is faster: riffle’s automatic choice, the best that is not "
                             "riffle, and the limit.</figcaption>\n</figure>\n";
}

std::string verdicts(const std::vector<page_section>& sections) {
  std::string rows;
  for (const page_section& section : sections) {
    const verdict& verdict = section.conclusions().verdict;
    if (verdict.text.empty()) continue;
    const std::string size = section.sweep() ? ": " + text::human_size(section.largest().bytes) : "";
    auto to = std::back_inserter(rows);
    fmt::format_to(to, R"(<tr><th scope="row"><a href="#{}">{}</a>{}</th><td class="wide">{})", section.id,
                   escaped(section.title), size, escaped(verdict.text));
    if (!verdict.introduction.empty()) fmt::format_to(to, " {}", escaped(verdict.introduction));
    if (!verdict.code.empty()) fmt::format_to(to, "<br><code>{}</code>", escaped(verdict.code));
    rows += "</td></tr>\n";
  }
  if (rows.empty())
    return "<section><h2 id=\"verdict\">In short</h2>\n<p>Nothing was measured.</p>\n</section>\n";
  return "<section><h2 id=\"verdict\">In short</h2>\n" + overview(sections) +
         R"(<div class="scroll" role="region" tabindex="0" aria-label="Verdicts"><table class="verdicts">)"
         R"(<caption>What is fastest, and the line of C++ for it</caption><thead><tr><th scope="col">Task</th>)"
         "<th scope=\"col\" class=\"text\">Verdict</th></tr></thead><tbody>\n" +
         rows + "</tbody></table></div></section>\n";
}

std::string warning_list(const std::vector<warning>& warnings) {
  if (warnings.empty()) return {};
  std::string out =
      "<section><h2 id=\"warnings\">Before you trust these figures</h2>\n<ul class=\"warnings\">\n";
  for (const warning& each : warnings) {
    fmt::format_to(std::back_inserter(out),
                   "<li data-warning=\"{}\"><p><strong>{}</strong></p><p>{}</p></li>\n", name_of(each),
                   escaped(text_of(each)), escaped(remedy_of(each)));
  }
  return out + "</ul></section>\n";
}

void write_html(const report& report, const conclusions& conclusions, std::ostream& out) {
  const std::vector<page_section> sections = sections_of(report, conclusions);
  const std::string before = verdicts(sections) + warning_list(conclusions.warnings);
  const std::string after = published_section(sections) + limits_section(report) + machine_section(report) +
                            contenders_section(report) + reading_section();
  const std::size_t others = std::min(most_bytes, before.size() + after.size());
  const std::string body = before + tasks_within(most_bytes - others, sections) + after;
  std::vector<link> links{{"verdict", "In short"}, {"warnings", "Warnings"}};
  for (const page_section& each : sections) links.push_back({each.id, each.title});
  links.insert(links.end(), {{"published", "Published figures"},
                             {"limits", "Limits"},
                             {"machine", "Machine"},
                             {"contenders", "Contenders"},
                             {"reading", "How to read this"}});
  out << head(report) << "<body>\n"
      << marker_shapes() << page_header(report) << contents(links, body) << "<main>\n"
      << body << "</main>\n"
      << page_footer(report) << "</body>\n</html>\n";
}

}  // namespace riffle::bench
