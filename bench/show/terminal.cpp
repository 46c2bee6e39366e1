/// Lays a part of a document out on the terminal.
#include <fmt/core.h>

#include <algorithm>
#include <ostream>

#include "bench/show/document.hpp"
#include "text/shown.hpp"

namespace riffle::bench {

namespace {

// As terminals number them. In place of fmt/color.h, for which g++ 13 warns falsely with {fmt} 9.
constexpr std::string_view heading_style = "1";   // bold
constexpr std::string_view riffle_style = "36";   // cyan
constexpr std::string_view limit_style = "2";     // faint
constexpr std::string_view warning_style = "33";  // yellow
constexpr std::string_view failure_style = "31";  // red

/// The widths of a table's columns: the first one with words shrinks if it must, the bars get the rest of the
/// line. If that is too narrow, columns of little importance are left out (0).
class layout {
 public:
  explicit layout(const text_table& table) : table_(table), widths_(table.columns.size()) {
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      const text_column& column = table.columns[i];
      if (column.importance < least_importance) continue;
      widths_[i] = column.kind == column_kind::bars ? shortest_bar : natural_width(i);
      if (column.kind == column_kind::bars) bars_ = i;
      if (column.kind == column_kind::words && name_ == none) name_ = i;
    }
    const std::size_t columns = text::terminal_columns();
    const std::size_t name = std::exchange(widths_.at(name_), std::min(widths_.at(name_), shortest_name));
    while (total() > columns && leave_one_out()) {
    }
    const std::size_t room = columns - std::min(total(), columns);
    const std::size_t more = std::min(name - widths_[name_], room);
    widths_[name_] += more;
    if (bars_ != none && widths_[bars_] != 0) widths_[bars_] += room - more;
    for (const text_row& row : table.rows) longest_ = std::max(longest_, row.bar);
  }

  std::string headings() const {
    std::string text = "  ";
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      const bool over_bars = i == bars_ && i + 1 < widths_.size() && widths_[i + 1] != 0;
      if (widths_[i] == 0 || over_bars) continue;
      const bool after_bars = i != 0 && i == bars_ + 1 && widths_[bars_] != 0;
      add(text, i, table_.columns[i].heading, widths_[i] + (after_bars ? widths_[bars_] + 1 : 0));
    }
    return ended(std::move(text));
  }

  std::string line(const text_row& row) const {
    std::string text = row.kind == row_kind::limit ? "= " : row.kind == row_kind::ours ? "> " : "  ";
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      if (widths_[i] == 0) continue;
      add(text, i, i == bars_ ? text::bar(longest_ > 0 ? row.bar / longest_ : 0, widths_[i]) : shown(row, i),
          widths_[i]);
    }
    return ended(std::move(text));
  }

 private:
  static constexpr unsigned least_importance = 2;
  static constexpr std::size_t shortest_bar = 6;
  static constexpr std::size_t shortest_name = 20;
  static constexpr std::size_t none = ~std::size_t{0};

  static std::string shown(const text_row& row, std::size_t column) {
    return text::printable(row.cells[column].text);
  }

  static std::string ended(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text + '\n';
  }

  // The heading of the column after the bars may reach over them.
  std::size_t natural_width(std::size_t column) const {
    const bool after_bars = column != 0 && table_.columns[column - 1].kind == column_kind::bars;
    std::size_t width = after_bars ? 1 : text::columns_of(table_.columns[column].heading);
    for (const text_row& row : table_.rows) width = std::max(width, text::columns_of(shown(row, column)));
    return std::max(width, least_width);
  }

  std::size_t total() const {
    std::size_t sum = 1;
    for (const std::size_t width : widths_) sum += width == 0 ? 0 : width + 1;
    return sum;
  }

  bool leave_one_out() {
    std::size_t least = none;
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      const bool may_go = widths_[i] != 0 && i != name_;
      if (may_go && (least == none || table_.columns[i].importance < table_.columns[least].importance))
        least = i;
    }
    if (least == none || table_.columns[least].importance >= most_importance) return false;
    widths_[least] = 0;
    // Without bars, what stood over them needs room of its own.
    if (least == bars_ && least + 1 < widths_.size() && widths_[least + 1] != 0)
      widths_[least + 1] = std::max(widths_[least + 1], text::columns_of(table_.columns[least + 1].heading));
    return true;
  }

  void add(std::string& to, std::size_t column, const std::string& text, std::size_t width) const {
    if (table_.columns[column].kind == column_kind::figures) {
      to += text::right_aligned(text, width);
    } else {
      to += text::left_aligned(text::shortened(text, std::max<std::size_t>(width, 2)), width);
    }
    to += ' ';
  }

  static constexpr std::size_t least_width = 2;
  static constexpr unsigned most_importance = 9;

  const text_table& table_;
  std::vector<std::size_t> widths_;
  std::size_t name_ = none;
  std::size_t bars_ = none;
  double longest_ = 0;
};

/// Writes blocks, in colour or without; the text is the same either way.
class printer {
 public:
  printer(std::ostream& out, bool colour) : out_(out), colour_(colour) {}

  void heading(const std::string& text) { write(text::wrapped(text::printable(text), 2), heading_style); }

  void operator()(const bar_chart& /*chart*/) {}

  void operator()(const fact_list& facts) {
    constexpr std::size_t about = 10;
    for (const fact& each : facts)
      write(text::wrapped(text::left_aligned(each.about, about) + text::printable(each.text), about));
  }

  void operator()(const paragraph& of) {
    const std::string text = text::printable(of.text);
    switch (of.kind) {
      case paragraph_kind::about:
        return write((after_table_ ? "\n" : "") + text::wrapped(text, 2) + "\n");
      case paragraph_kind::note:
        return write(text::wrapped(text, 2), limit_style);
      case paragraph_kind::failure:
        return write(text::wrapped(text, 2), failure_style);
      case paragraph_kind::verdict:
        return write("\n" + text::wrapped(text, 0), heading_style);
      case paragraph_kind::code:
        return write(text::wrapped("    " + text, 8));
      case paragraph_kind::warning:
        write(text::wrapped("warning: " + text, 4), warning_style);
        return write(text::wrapped("    " + text::printable(of.remedy), 4));
    }
  }

  // Limits first, then an empty line.
  void operator()(const text_table& table) {
    after_table_ = true;
    const layout columns(table);
    write(columns.headings(), heading_style);
    const text_row* before = nullptr;
    std::string marks;
    for (const text_row& row : table.rows) {
      const bool after_limits = before != nullptr && before->kind == row_kind::limit;
      if (after_limits && row.kind != row_kind::limit) write("\n");
      write(columns.line(row), row.kind == row_kind::limit  ? limit_style
                               : row.kind == row_kind::ours ? riffle_style
                                                            : std::string_view());
      before = &row;
    }
    const auto has = [&](row_kind kind) {
      return std::ranges::count(table.rows, kind, &text_row::kind) != 0;
    };
    if (has(row_kind::limit)) marks += "= limit";
    if (has(row_kind::ours)) marks += marks.empty() ? "> riffle" : ", > riffle";
    if (!marks.empty()) marks += ". ";
    if (!table.legend.empty()) write(text::wrapped(marks + text::printable(table.legend), 2), limit_style);
  }

 private:
  // Lines, each with its end, which stays outside the colour.
  void write(std::string_view lines, std::string_view style = {}) {
    while (!lines.empty()) {
      const std::string_view line = lines.substr(0, lines.find('\n'));
      const bool plain = !colour_ || line.empty() || style.empty();
      out_ << (plain ? std::string(line) : fmt::format("\x1b[{}m{}\x1b[0m", style, line)) << '\n';
      lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    }
  }

  std::ostream& out_;
  bool colour_;
  bool after_table_ = false;
};

}  // namespace

void print_section(const section& part, bool colour, std::ostream& out) {
  if (part.blocks.empty()) return;
  printer to(out, colour);
  if (!part.heading.empty()) to.heading(part.heading);
  for (const auto& block : part.blocks) std::visit(to, block);
}

}  // namespace riffle::bench
