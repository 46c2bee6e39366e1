/// `sum_table`: one list of columns for TSV and JSON.
#include "cli/sum/table.hpp"

#include <fmt/core.h>

#include <span>

#include "cli/json.hpp"
#include "cli/output.hpp"
#include "text/quoted.hpp"

namespace riffle::cli {

namespace {

struct column {
  const char* name;
  number sum_row::* value;
};
constexpr std::array columns{column{"count", &sum_row::count}, column{"min", &sum_row::min},
                             column{"max", &sum_row::max}, column{"sum", &sum_row::sum},
                             column{"mean", &sum_row::mean}};
constexpr std::array sum_alone{columns[3]};

std::span<const column> shown(bool stats) {
  return stats ? std::span<const column>(columns) : sum_alone;
}

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

std::string json_of(json_row row, const sum_row& numbers, bool stats) {
  for (const column& each : shown(stats)) {
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

std::string header() {
  std::string line;
  for (const column& each : columns) line.append(line.empty() ? "" : "\t").append(each.name);
  return line;
}

std::string text_row(const sum_row& row, bool stats) {
  std::string line;
  for (const column& each : shown(stats))
    line.append(line.empty() ? "" : "\t").append(text_of(row.*each.value));
  return line;
}

}  // namespace

void sum_table::add(std::string_view name, const sum_row& row) {
  ++rows_;
  if (json_) {
    write(json_of(json_row::of_file(name), row, stats_));
  } else {
    print(text::quoted_for_row(name), row);
  }
  flush_output();  // as the next file may take long
}

void sum_table::add_total(const sum_row& row) {
  if (json_) return write(json_of(json_row::of_total(rows_), row, stats_));
  print("total", row);
}

// Tabs between the columns of --stats; the space of the other commands between a sum alone and its name.
void sum_table::print(std::string_view name, const sum_row& row) {
  if (stats_ && !begun_) write(header() + (several_ ? "\tfile\n" : "\n"));
  begun_ = true;
  std::string line = text_row(row, stats_);
  if (several_) line.append(stats_ ? "\t" : " ").append(name);
  write(line + "\n");
}

}  // namespace riffle::cli
