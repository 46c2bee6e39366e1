/// A document as a page: its style sheet, its charts and its sections.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <ostream>

#include "bench/show/document.hpp"
#include "text/shown.hpp"
#include "text/typed.hpp"

namespace riffle::bench {

namespace {

// Two colour schemes, from 320 pixels up, print.
constexpr std::string_view style = R"css(
:root {
  color-scheme: light dark;
  --paper: #fcfcfa; --rule: #dfe2de; --grid: #e6e8e4;
  --ink: #1b2225; --soft: #566166; --ours: #0b6b82; --ours-bar: #238ca6; --theirs: #7c888d; --limit: #9a5b13; --alarm: #a3261d;
  --alarm-sheet: #fbeeea;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14191b; --rule: #323b3f; --grid: #293135;
    --ink: #e7ebec; --soft: #a0abb0; --ours: #4fb9d1; --ours-bar: #2c8ba3; --theirs: #6b777d; --limit: #d9a05b; --alarm: #f2978c;
    --alarm-sheet: #33211f;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 var(--sans);
  font-variant-numeric: tabular-nums; overflow-wrap: break-word;
}
header, main, footer { max-width: 1200px; margin: 0 auto; padding: 0 32px; }
header { padding-top: 64px; }
footer { padding-top: 32px; padding-bottom: 64px; color: var(--soft); font-size: 14px; }
h1 { margin: 0 0 12px; font-size: 38px; line-height: 1.15; letter-spacing: -.02em; font-weight: 680; text-wrap: balance; }
h2 { margin: 72px 0 4px; font-size: 24px; line-height: 1.25; letter-spacing: -.01em; font-weight: 650; }
h3 { margin: 40px 0 4px; font-size: 17px; line-height: 1.35; font-weight: 650; }
p { margin: 8px 0; max-width: 70ch; }
a { color: var(--ours); text-underline-offset: 3px; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--ours); outline-offset: 2px; }
.kicker { margin: 0 0 8px; color: var(--ours); font-weight: 650; letter-spacing: .02em; }
.about, figcaption { color: var(--soft); }
nav { margin: 32px 0 0; padding: 16px 0; border-block: 1px solid var(--rule); font-size: 15px; }
nav ul { margin: 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: 4px 24px; }
.banner, .warning { background: var(--alarm-sheet); border-left: 4px solid var(--alarm); }
.banner { margin: 24px 0 0; padding: 12px 20px; max-width: none; }
.banner strong, .warning strong, .bad { color: var(--alarm); }
.warning { margin: 8px 0; padding: 10px 20px; }
.warning p { margin: 0; max-width: none; }
.verdict { font-weight: 600; }
code { font-family: var(--mono); font-size: .92em; }
td code { overflow-wrap: anywhere; }
figure { margin: 24px 0; }
figcaption { max-width: 70ch; margin-top: 12px; font-size: 14px; }

.scroll { overflow-x: auto; margin: 24px 0; border-block: 1px solid var(--rule); }
table { border-collapse: collapse; width: 100%; font-size: 13px; line-height: 1.4; }
caption { text-align: left; color: var(--soft); padding: 10px 0; }
th, td { padding: 6px 0 6px 13px; text-align: right; white-space: nowrap; vertical-align: baseline; }
th { font-weight: 600; }
thead th { color: var(--soft); border-bottom: 1px solid var(--rule); vertical-align: bottom; white-space: normal; }
tbody tr + tr > * { border-top: 1px solid var(--grid); }
th:first-child, td:first-child { padding-left: 0; }
tbody th { position: sticky; left: 0; background: var(--paper); padding-right: 8px; }
tbody th, .text { text-align: left; }
td.wide { white-space: normal; min-width: 320px; text-align: left; }
td small { display: block; color: var(--soft); font-size: 12px; }
tbody th { font-weight: 500; }
tr.ours th { color: var(--ours); font-weight: 600; }
tr.limit th { color: var(--limit); font-weight: 600; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 4px 24px; margin: 16px 0; font-size: 15px; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; min-width: 0; }
details { margin: 16px 0; }
summary { cursor: pointer; color: var(--ours); width: fit-content; }

svg { display: block; overflow: visible; font: 13px var(--sans); }
svg text { fill: var(--ink); }
svg .tick, svg .unit { fill: var(--soft); font-size: 12px; }
svg .tick { text-anchor: middle; }
svg .grid { stroke: var(--grid); }
.bars {
  --pitch: 25px; --top: 32px; margin-left: 236px; width: calc(100% - 298px);
  height: calc(var(--top) + var(--rows) * var(--pitch));
}
.bars .unit { text-anchor: end; transform: translateX(62px); }
.bars .row { transform: translateY(calc(var(--top) + var(--i) * var(--pitch))); }
.bars .name { text-anchor: end; transform: translate(-14px, 12px); font-weight: 400; }
.bars .name tspan { fill: var(--soft); }
.bars .figure { text-anchor: end; transform: translate(62px, 12px); font-variant-numeric: tabular-nums; }
.bars .heading .name { font-weight: 650; fill: var(--soft); font-size: 12px; letter-spacing: .03em; }
.bars rect { height: 14px; rx: 1.5px; fill: var(--theirs); }
.bars .ours rect { fill: var(--ours-bar); }
.bars .limit rect { fill: var(--paper); stroke: var(--limit); stroke-width: 1.5; }
.bars .bar .ci { y: 3px; height: 8px; rx: 0; fill: none; stroke: var(--ink); stroke-width: 1.5; }
.cap { stroke: var(--limit); stroke-width: 1.5; stroke-dasharray: 2 4; stroke-linecap: round; }
@media (max-width: 760px) {
  header, main, footer { padding-left: 16px; padding-right: 16px; }
  header { padding-top: 32px; }
  h1 { font-size: 28px; }
  h2 { margin-top: 56px; font-size: 21px; }
  tbody th { white-space: normal; min-width: 110px; max-width: 150px; }
  td.wide { min-width: 200px; }
  .facts { grid-template-columns: 1fr; gap: 0; }
  .facts dd { margin-bottom: 8px; }
  .bars { --pitch: 42px; margin: 40px 0 0; width: 100%; }
  .bars .name { text-anchor: start; transform: translate(0, 10px); }
  .bars .figure { transform: translate(-6px, 10px); }
  .bars .unit { transform: translateY(-16px); }
  .bars .bar { transform: translateY(17px); }
  .bars .name, .bars .figure { paint-order: stroke; stroke: var(--paper); stroke-width: 4px; stroke-linejoin: round; }
  .bars .heading .name { transform: translate(0, 28px); }
}
@media print {
  .scroll { overflow: visible; }
  figure, tr { break-inside: avoid; }
}
)css";

std::string_view escaped_byte(const char& byte) {
  constexpr std::string_view special = "&<>\"'\t\n";
  constexpr std::array<std::string_view, special.size()> shown{"&amp;", "&lt;", "&gt;", "&quot;",
                                                               "&#39;", " ",    " "};
  if (const std::size_t at = special.find(byte); at != special.npos) return shown[at];
  const auto value = static_cast<unsigned char>(byte);
  return value < 0x20 || value == 0x7F ? std::string_view() : std::string_view(&byte, 1);
}

// 1, 2 or 5 times a power of ten, so that at most five steps lie below `top`.
double step_below(double top) {
  const double least = top / 5;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least) return factor * power;
  }
  return 10 * power;
}

std::string scale_of(double top) {
  std::string out;
  const double step = step_below(top);
  for (int i = 0; step * i <= top * 1.0001; ++i)
    fmt::format_to(std::back_inserter(out),
                   R"(<line class="grid" x1="{0:.2f}%" x2="{0:.2f}%" y1="20" y2="100%"/>)"
                   R"(<text class="tick" x="{0:.2f}%" y="13">{1:g}</text>)",
                   step * i / top * 100, step * i);
  return out;
}

std::string_view class_of(row_kind kind) {
  if (kind == row_kind::limit) return "limit";
  return kind == row_kind::ours ? "ours" : "theirs";
}

std::string row_of(const chart_bar& each, int row, double top) {
  const auto percent = [top](double value) { return value / top * 100; };
  return fmt::format(
      R"(<g class="row {}" style="--i:{}"><text class="name"><tspan>{}</tspan>{}</text>)"
      R"(<text class="figure" x="100%">{}</text><g class="bar"><rect width="{:.2f}%"/>{}</g></g>)",
      class_of(each.kind), row, escaped(each.prefix), escaped(each.label), text::short_number(each.value),
      percent(each.value),
      each.ci95 ? fmt::format(R"(<rect class="ci" x="{:.2f}%" width="{:.2f}%"/>)", percent(each.ci95->low),
                              percent(each.ci95->high - each.ci95->low))
                : std::string());
}

std::string head(const document& all) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>{}, {}</title>\n<style>{}</style>\n</head>\n",
      escaped(all.title), escaped(all.date), style);
}

std::string page_header(const document& all) {
  std::string out = fmt::format(
      "<header>\n<p class=\"kicker\">riffle bench</p>\n<h1>{}</h1>\n<p class=\"about\">{}{}{}</p>\n",
      escaped(all.question), escaped(all.date), all.date.empty() || all.about.empty() ? "" : " · ",
      escaped(all.about));
  if (!all.incomplete.empty())
    out += "<p class=\"banner\" role=\"note\"><strong>Not complete:</strong> " + escaped(all.incomplete) +
           ". This page shows what was measured before.</p>\n";
  std::string links;
  for (const section& each : all.sections) {
    if (!each.under)
      fmt::format_to(std::back_inserter(links), "<li><a href=\"#{}\">{}</a></li>\n", each.id,
                     escaped(each.name));
  }
  return out + "<nav aria-label=\"Contents\"><ul>\n" + links + "</ul></nav>\n</header>\n";
}

std::string cell_of(const text_column& column, const text_cell& cell, bool name) {
  const bool words = column.kind == column_kind::words;
  std::string text = escaped(cell.text);
  if (!cell.link.empty()) text = fmt::format("<a href=\"#{}\">{}</a>", cell.link, text);
  if (!cell.second.empty())
    text += (words ? "<br><code>" : "<small>") + escaped(cell.second) + (words ? "</code>" : "</small>");
  if (name) return "<th scope=\"row\">" + text + "</th>";
  constexpr std::size_t longest_line = 40;
  const bool wide = cell.text.size() > longest_line;
  return fmt::format("<td{}>{}</td>", !words ? "" : wide ? " class=\"wide\"" : " class=\"text\"", text);
}

/// Writes blocks as markup.
struct writer {
  std::string id;  // of the section
  unsigned charts = 0;
  std::string out = {};

  void operator()(const fact_list& facts) {
    out += "<dl class=\"facts\">\n";
    for (const fact& each : facts)
      out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escaped(each.about), escaped(each.text));
    out += "</dl>\n";
  }

  void operator()(const paragraph& of) {
    const std::string text = escaped(of.text);
    if (of.kind == paragraph_kind::warning) {
      out += fmt::format("<div class=\"warning\"><p><strong>{}</strong></p><p>{}</p></div>\n", text,
                         escaped(of.remedy));
    } else if (of.kind == paragraph_kind::code) {
      out += "<p><code>" + text + "</code></p>\n";
    } else {
      constexpr std::array<std::string_view, 4> classes{R"( class="about")", "", R"( class="bad")",
                                                        R"( class="verdict")"};
      out += fmt::format("<p{}>{}</p>\n", classes.at(static_cast<std::size_t>(of.kind)), text);
    }
  }

  void operator()(const bar_chart& chart) {
    const std::string picture = svg_of(chart, fmt::format("{}-{}", id, ++charts));
    if (!picture.empty())
      out += fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", picture,
                         escaped(chart.caption));
  }

  // The rows' names are the first words.
  void operator()(const text_table& table) {
    std::string head;
    std::string rows;
    std::size_t name = table.columns.size();
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      const text_column& column = table.columns[i];
      if (column.kind == column_kind::bars) continue;
      const bool words = column.kind == column_kind::words;
      if (words && name == table.columns.size()) name = i;
      head += fmt::format(R"(<th scope="col"{}>{}</th>)", words ? R"( class="text")" : "",
                          escaped(column.heading));
    }
    for (const text_row& row : table.rows) {
      rows += fmt::format("<tr class=\"{}\">", class_of(row.kind));
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (table.columns[i].kind != column_kind::bars)
          rows += cell_of(table.columns[i], row.cells[i], i == name);
      }
      rows += "</tr>\n";
    }
    const std::string title = escaped(table.title);
    out +=
        fmt::format(R"(<div class="scroll" role="region" tabindex="0" aria-label="{0}"><table>)"
                    "<caption>{0}</caption><thead><tr>{1}</tr></thead><tbody>\n{2}</tbody></table></div>\n",
                    title, head, rows);
    if (!table.legend.empty()) out += "<p class=\"about\">" + escaped(table.legend) + "</p>\n";
  }
};

}  // namespace

std::string svg_of(const bar_chart& chart, std::string_view id) {
  double top = 0;
  for (const chart_bar& each : chart.bars) top = std::max({top, each.value, each.ci95 ? each.ci95->high : 0});
  if (!std::isfinite(top) || top <= 0) return {};
  std::string rows;
  std::string caps;
  std::string heading;
  int row = 0;
  for (const chart_bar& each : chart.bars) {
    if (each.heading != heading) {
      heading = each.heading;
      rows += fmt::format(R"(<g class="row heading" style="--i:{}"><text class="name">{}</text></g>)", row++,
                          escaped(heading));
    }
    rows += row_of(each, row++, top);
    if (chart.limits_cross && each.kind == row_kind::limit)
      caps += fmt::format(R"(<line class="cap" x1="{0:.2f}%" x2="{0:.2f}%" y1="20" y2="100%"/>)",
                          each.value / top * 100);
  }
  return fmt::format(
      R"(<svg class="bars" role="img" aria-labelledby="{0}-t {0}-d" style="--rows:{1}">)"
      R"(<title id="{0}-t">{2}</title><desc id="{0}-d">{3}</desc><text class="unit" x="100%" y="13">{4}</text>)"
      "{5}{6}{7}</svg>\n",
      id, row, escaped(chart.title), escaped(chart.description), escaped(chart.unit), scale_of(top), caps,
      rows);
}

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  const std::string valid = text::as_utf8(text);
  for (std::size_t i = 0; i < valid.size(); ++i) {
    // U+0080 to U+009F are controls too.
    if (valid[i] == '\xC2' && valid[i + 1] < '\xA0') {
      ++i;
    } else {
      out += escaped_byte(valid[i]);
    }
  }
  return out;
}

void write_page(const document& all, std::ostream& out) {
  out << head(all) << "<body>\n" << page_header(all) << "<main>\n";
  unsigned number = 0;
  bool open = false;
  for (const section& each : all.sections) {
    writer to{.id = each.id.empty() ? fmt::format("part-{}", ++number) : each.id};
    for (const auto& block : each.blocks) std::visit(to, block);
    const std::string heading = escaped(each.heading);
    if (each.folded) {
      out << "<details><summary>" << heading << "</summary>" << to.out << "</details>\n";
      continue;
    }
    if (each.under) {
      out << "<h3>" << heading << "</h3>\n" << to.out;
      continue;
    }
    out << (std::exchange(open, true) ? "</section>\n" : "") << "<section><h2 id=\"" << each.id << "\">"
        << heading << "</h2>\n"
        << to.out;
  }
  out << (open ? "</section>\n" : "") << "</main>\n<footer>\n<p>" << escaped(all.made_by)
      << "</p>\n</footer>\n</body>\n</html>\n";
}

}  // namespace riffle::bench
