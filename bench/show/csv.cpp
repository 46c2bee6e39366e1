/// Every figure of a report, one line a contender, for spreadsheets and statistics programs.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>
#include <span>

#include "bench/show/outputs.hpp"
#include "bench/show/rows.hpp"
#include "text/columns.hpp"
#include "text/joined.hpp"

namespace riffle::bench {

namespace {

/// The fields of a row that become columns, in their order; what has several figures becomes several columns.
/// The names are those of the JSON (docs/bench-json.md).
constexpr std::array<std::string_view, 28> columns_of_row{"task",
                                                          "input",
                                                          "files",
                                                          "bytes",
                                                          "cache",
                                                          "faults_per_mib",
                                                          "contender",
                                                          "program",
                                                          "method",
                                                          "block_size",
                                                          "queue_depth",
                                                          "threads",
                                                          "outcome",
                                                          "seconds",
                                                          "settled",
                                                          "runs_per_sample",
                                                          "gb_per_s",
                                                          "limit",
                                                          "of_limit",
                                                          "user_seconds",
                                                          "system_seconds",
                                                          "minor_faults",
                                                          "major_faults",
                                                          "voluntary_switches",
                                                          "involuntary_switches",
                                                          "bytes_read",
                                                          "answer",
                                                          "reason"};
/// The end of every line: its run and its machine, as people put the lines of several runs together.
constexpr std::array<std::string_view, 4> columns_of_run{"complete", "stopped_by", "started", "machine"};

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

/// A line of cells, with the heading of each. What is not known is empty, and not 0.
class cells {
 public:
  /// The fields of a struct that have those names, in the order of the names.
  template <class Struct>
  void add_fields(const Struct& from, std::span<const std::string_view> names) {
    for (const std::string_view name : names) {
      each_field(from, [&](const auto& field, const auto& value) {
        if (field.name == name) add_field(field, value);
      });
    }
  }

  /// What the samples amount to stays empty from now on, as there are none.
  void leave_out_samples() { no_samples_ = true; }

  [[nodiscard]] const std::string& headings() const { return headings_; }
  [[nodiscard]] const std::string& line() const { return line_; }

 private:
  template <class Field, class Value>
  void add_field(const Field& field, const Value& value) {
    if constexpr (std::unsigned_integral<Value>) {
      if (field.nullable && value == 0) return add_cell(field.name, "");
    }
    add(field.name, value);
  }

  void add_cell(std::string_view name, std::string_view cell) {
    const std::string_view before = headings_.empty() ? "" : ",";
    headings_.append(before).append(name);
    line_.append(before).append(cell);
  }

  void add(std::string_view name, const std::string& text) { add_cell(name, cell_of(text)); }
  void add(std::string_view name, bool value) { add_cell(name, value ? "true" : "false"); }
  void add(std::string_view name, std::unsigned_integral auto number) {
    add_cell(name, fmt::format("{}", number));
  }
  // Of the samples, but for those that are optional.
  void add(std::string_view name, double number) {
    add_cell(name, no_samples_ || !std::isfinite(number) ? std::string() : fmt::format("{}", number));
  }
  template <class Named>
    requires std::is_enum_v<Named>
  void add(std::string_view name, Named which) {
    add_cell(name, name_of(which));
  }
  void add(std::string_view name, const std::vector<std::string>& texts) {
    add_cell(name, cell_of(text::joined(texts, "; ")));
  }
  void add(std::string_view name, const std::optional<double>& number) {
    add_cell(name, number && std::isfinite(*number) ? fmt::format("{}", *number) : std::string());
  }
  void add(std::string_view name, const std::optional<binding_limit>& limit) {
    add_cell(name, limit ? name_of(limit->kind) : std::string_view());
  }
  void add(std::string_view name, const std::optional<interval>& within) {
    const auto end = [&](double interval::* which) {
      return within ? std::optional((*within).*which) : std::nullopt;
    };
    add(fmt::format("{}_low", name), end(&interval::low));
    add(fmt::format("{}_high", name), end(&interval::high));
  }
  void add(std::string_view name, const std::optional<answer>& given) {
    const answer shown = given.value_or(answer{});
    each_field(shown, [&](const auto& field, std::uint64_t value) {
      add_cell(fmt::format("{}_{}", name, field.name), given ? fmt::format("{}", value) : std::string());
    });
  }
  void add(std::string_view /*name*/, const timing& times) {
    add("samples", times.amount.samples);
    each_field(times.amount, [&](const auto& field, const auto& value) { add(field.name, value); });
  }
  void add(std::string_view /*name*/, const machine& facts) {
    each_field(facts, [&](const auto& field, const auto& value) { add_field(field, value); });
  }
  // Lists and tables are no cells.
  void add(std::string_view /*name*/, const rounds_of_samples& /*rounds*/) {}
  void add(std::string_view /*name*/, const limits& /*measured*/) {}

  std::string headings_;
  std::string line_;
  bool no_samples_ = false;
};

cells cells_of(const report& report, const const_row& row) {
  cells cells;
  if (row.line.seconds.samples == 0) cells.leave_out_samples();
  cells.add_fields(row, columns_of_row);
  cells.add_fields(report, columns_of_run);
  return cells;
}

}  // namespace

// The RFC ends lines by CR LF. Every reader takes LF too, and `cut` would keep a CR in the last cell.
void write_csv(const report& report, const conclusions& /*judged*/, std::ostream& out) {
  const task_report no_table;
  const measurement no_line;
  out << cells_of(report, {.table = no_table, .line = no_line}).headings() << '\n';
  for (const task_report& table : report.tasks) {
    each_row(table, [&](const const_row& row) { out << cells_of(report, row).line() << '\n'; });
  }
}

}  // namespace riffle::bench
