/// The figures of a report that are compared most, one line a contender, for spreadsheets and statistics
/// programs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>

#include "bench/data/fields.hpp"
#include "bench/show/outputs.hpp"
#include "text/columns.hpp"

namespace riffle::bench {

namespace {

// What begins a formula in a spreadsheet, also as a full-width character.
constexpr std::array<std::string_view, 8> formula_starts{"=", "+", "-", "@", "＝", "＋", "－", "＠"};

// Quoted if RFC 4180 asks for it, and UTF-8 in one line whatever a file is called. A file's name that a
// spreadsheet would run as a formula gets an apostrophe before it (OWASP, CSV Injection). No number is
// negative.
std::string cell_of(std::string_view text) {
  std::string content = text::with_escapes(text);
  const auto begins = [&content](std::string_view start) { return content.starts_with(start); };
  if (std::ranges::any_of(formula_starts, begins)) content.insert(0, 1, '\'');
  if (content.find_first_of(",\"") == std::string::npos) return content;
  std::string quoted = "\"";
  for (const char each : content) quoted.append(each == '"' ? 2 : 1, each);
  return quoted + '"';
}

std::string cell_of(std::optional<double> number) {
  return number && std::isfinite(*number) ? fmt::format("{}", *number) : std::string();
}

// 0 stands for what is not known.
std::optional<double> known(double amount) {
  return amount > 0 ? std::optional(amount) : std::nullopt;
}

std::array<std::string, csv_columns.size()> cells_of(const result_row& row) {
  const measurement& line = row.line;
  const std::optional<interval>& ci95 = line.seconds.ci95;
  return {std::string(name_of(row.table.task)),
          cell_of(row.table.input),
          fmt::format("{}", row.table.bytes),
          std::string(name_of(row.table.cache)),
          cell_of(line.program),
          cell_of(line.label),
          std::string(name_of(line.result.outcome)),
          cell_of(line.measured() ? std::optional(line.seconds.median) : std::nullopt),
          cell_of(ci95 ? std::optional(ci95->low) : std::nullopt),
          cell_of(ci95 ? std::optional(ci95->high) : std::nullopt),
          cell_of(row.speed()),
          cell_of(line.of_limit()),
          cell_of(known(line.usage.user_seconds)),
          cell_of(known(line.usage.system_seconds)),
          cell_of(known(line.usage.peak_memory))};
}

}  // namespace

// The RFC ends lines by CR LF. Every reader takes LF too, and `cut` would keep a CR in the last cell.
void write_csv(const report& report, const conclusions& /*judged*/, std::ostream& out) {
  out << fmt::format("{}\n", fmt::join(csv_columns, ","));
  for (const task_report& table : report.tasks) {
    for (const measurement& line : table.lines)
      out << fmt::format("{}\n", fmt::join(cells_of({.table = table, .line = line}), ","));
  }
}

}  // namespace riffle::bench
