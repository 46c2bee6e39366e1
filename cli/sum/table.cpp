/// `sum_table`: one list of columns for TSV and JSON.
#include "cli/sum/table.hpp"

#include <fmt/core.h>

#include <array>

#include "cli/output.hpp"
#include "text/quoted.hpp"

namespace riffle::cli {

namespace {

std::string text_of(const number& value) {
  return std::visit(
      []<class T>(T known) -> std::string {
        if constexpr (std::is_same_v<T, std::monostate>)
          return "-";
        else
          return fmt::format("{}", known);
      },
      value);
}

}  // namespace

std::span<const sum_table::column> sum_table::columns_of(bool stats, bool nulls) {
  static constexpr std::array all{column{"count", &sum_row::count}, column{"min", &sum_row::min},
                                  column{"max", &sum_row::max},     column{"sum", &sum_row::sum},
                                  column{"mean", &sum_row::mean},   column{"null", &sum_row::nulls}};
  if (!stats) return std::span(all).subspan(3, 1);
  return std::span(all).first(nulls ? 6 : 5);
}

std::string sum_table::json_of(const json_row& start, std::span<const sum_row> rows) const {
  std::string lines;
  for (std::size_t i = 0; i != rows.size(); ++i) {
    json_row row = start;
    if (!columns_.empty()) row.add("column", columns_[i]);
    for (const column& each : shown_) {
      std::visit(
          [&]<class T>(T known) {
            if constexpr (std::is_same_v<T, std::monostate>)
              row.add_null(each.name);
            else
              row.add(each.name, known);
          },
          rows[i].*each.value);
    }
    lines += row.line();
  }
  return lines;
}

std::string sum_table::text_of(const sum_row& row) const {
  std::string line;
  for (const column& each : shown_)
    line.append(line.empty() ? "" : "\t").append(cli::text_of(row.*each.value));
  return line;
}

void sum_table::add(std::string_view name, std::span<const sum_row> rows) {
  ++rows_;
  if (only_total_) return;
  if (json_) {
    write(json_of(json_row::of_file(name), rows));
  } else {
    print(text::quoted_for_row(name), rows);
  }
  flush_output();  // as the next file may take long
}

void sum_table::add_total(std::span<const sum_row> rows) {
  if (json_) return write(json_of(json_row::of_total(rows_), rows));
  print("total", rows);
}

// Tabs between the columns of --stats; the space of the other commands between a sum alone and its name.
void sum_table::print(std::string_view name, std::span<const sum_row> rows) {
  std::string lines;
  if (stats_ && !begun_) {
    for (const column& each : shown_) lines.append(lines.empty() ? "" : "\t").append(each.name);
    lines.append(columns_.empty() ? "" : "\tcolumn").append(several_ ? "\tfile\n" : "\n");
  }
  begun_ = true;
  const char* const between = stats_ ? "\t" : " ";
  for (std::size_t i = 0; i != rows.size(); ++i) {
    lines += text_of(rows[i]);
    if (!columns_.empty()) lines.append(between).append(columns_[i]);
    if (several_) lines.append(between).append(name);
    lines += '\n';
  }
  write(lines);
}

}  // namespace riffle::cli
