/// Lays a document out as one HTML page that needs nothing else.
#include <fmt/format.h>

#include <array>
#include <iterator>
#include <ostream>

#include "bench/show/document.hpp"
#include "bench/show/page_parts.hpp"

namespace riffle::bench {

namespace {

std::string head(const document& all) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<title>{}, {}</title>\n<style>{}</style>\n</head>\n",
      escaped(all.title), escaped(all.date), report_style());
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
