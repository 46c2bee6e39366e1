/// Lays a document out so that it can be pasted into a README or an issue.
#include <fmt/core.h>

#include <ostream>

#include "bench/show/document.hpp"
#include "text/shown.hpp"

namespace riffle::bench {

namespace {

// Text in which nothing is markup: a file's name, a reason. (GitHub Flavored Markdown, 2.4 and 4.10.) HTML is
// written as entities, as not every reader of Markdown knows a backslash before '<'.
std::string literal(std::string_view text) {
  std::string safe;
  for (const char each : text::printable(text)) {
    if (std::string_view("\\`*_{}[]#|~@$").find(each) != std::string_view::npos) safe += '\\';
    safe += each == '<' ? "&lt;" : each == '>' ? "&gt;" : each == '&' ? "&amp;" : std::string(1, each);
  }
  return safe;
}

/// Writes blocks, each with an empty line after it.
struct markdown_writer {
  std::ostream& out;
  bool in_list = false;

  void end_list() {
    if (std::exchange(in_list, false)) out << '\n';
  }
  void item(const std::string& text) {
    in_list = true;
    out << "- " << text << '\n';
  }

  void operator()(const bar_chart& /*chart*/) {}

  void operator()(const fact_list& facts) {
    for (const fact& each : facts) item(literal(each.about) + ": " + literal(each.text));
  }

  void operator()(const paragraph& of) {
    const bool listed = of.kind == paragraph_kind::note || of.kind == paragraph_kind::failure ||
                        of.kind == paragraph_kind::warning;
    if (listed) return item(literal(of.text) + (of.remedy.empty() ? "" : " ") + literal(of.remedy));
    end_list();
    if (of.kind == paragraph_kind::code) {
      out << "```cpp\n" << of.text << "\n```\n\n";
    } else {
      out << literal(of.text) << "\n\n";
    }
  }

  void operator()(const text_table& table) {
    const auto in = [](const text_column& column) {
      return column.importance > 0 && column.kind != column_kind::bars;
    };
    std::string head = "|";
    std::string rule = "|";
    for (const text_column& column : table.columns) {
      if (!in(column)) continue;
      head += " " + literal(column.heading) + " |";
      rule += column.kind == column_kind::words ? "---|" : "--:|";
    }
    out << head << '\n' << rule << '\n';
    for (const text_row& row : table.rows) {
      bool named = false;
      out << '|';
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        if (!in(table.columns[i])) continue;
        std::string text = literal(row.cells[i].text);
        const bool name = table.columns[i].kind == column_kind::words && !std::exchange(named, true);
        if (name && row.kind == row_kind::ours) text.insert(0, "**").append("**");
        if (!row.cells[i].second.empty()) text += " (" + literal(row.cells[i].second) + ")";
        out << ' ' << text << " |";
      }
      out << '\n';
    }
    out << '\n';
    if (!table.legend.empty()) out << literal(table.legend) << "\n\n";
  }
};

}  // namespace

void write_markdown(const document& all, std::ostream& out) {
  out << "# " << literal(all.title) << "\n\n";
  if (!all.incomplete.empty()) out << "**Not complete: " << literal(all.incomplete) << "**\n\n";
  for (const section& part : all.sections) {
    if (part.extra) continue;
    out << (part.under ? "### " : "## ") << literal(part.heading) << "\n\n";
    markdown_writer to{out};
    for (const auto& block : part.blocks) std::visit(to, block);
    to.end_list();
  }
}

}  // namespace riffle::bench
