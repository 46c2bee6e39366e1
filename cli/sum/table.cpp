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

std::string sum_table::json_of(json_row row, const sum_row& numbers) const {
  for (const column& each : shown_) {
    std::visit(
        [&]<class T>(T known) {
          if constexpr (std::is_same_v<T, std::monostate>)
            row.add_null(each.name);
          else
            row.add(each.name, known);
        },
        numbers.*each.value);
  }
  return row.line();
}

std::string sum_table::text_of(const sum_row& row) const {
  std::string line;
  for (const column& each : shown_)
    line.append(line.empty() ? "" : "\t").append(cli::text_of(row.*each.value));
  return line;
}

void sum_table::add(std::string_view name, const sum_row& row) {
  ++rows_;
  if (only_total_) return;
  if (json_) {
    write(json_of(json_row::of_file(name), row));
  } else {
    print(text::quoted_for_row(name), row);
  }
  flush_output();  // as the next file may take long
}

void sum_table::add_total(const sum_row& row) {
  if (json_) return write(json_of(json_row::of_total(rows_), row));
  print("total", row);
}

// Tabs between the columns of --stats; the space of the other commands between a sum alone and its name.
void sum_table::print(std::string_view name, const sum_row& row) {
  if (stats_ && !begun_) {
    std::string names;
    for (const column& each : shown_) names.append(names.empty() ? "" : "\t").append(each.name);
    write(names + (several_ ? "\tfile\n" : "\n"));
  }
  begun_ = true;
  std::string line = text_of(row);
  if (several_) line.append(stats_ ? "\t" : " ").append(name);
  write(line + "\n");
}

}  // namespace riffle::cli
