/// The forms in which a report is shown: pure functions of the report and of its conclusions.
#pragma once

#include <iosfwd>
#include <string_view>
#include <vector>

#include "bench/data/report.hpp"
#include "bench/judge/conclusions.hpp"

namespace riffle::bench {

/// The facts of the machine and the limits. These and what follows fit into `text::terminal_columns()`.
void print_machine(const machine& facts, std::ostream& out);
void print_limits(const limits& limits, std::ostream& out);
/// One task's table, bars and verdict; bars and names of programs go where the terminal is narrow. `colour`
/// adds the terminal's codes.
void print_table(const task_report& table, const table_conclusions& conclusions, bool colour,
                 std::ostream& out);
/// The warnings with their remedies; nothing if there are none.
void print_warnings(const std::vector<warning>& warnings, bool colour, std::ostream& out);

/// Everything, with each sample, as one JSON object; docs/bench-json.md describes it.
void write_json(const report& report, const conclusions& conclusions, std::ostream& out);
/// Tables for a README or an issue (GitHub's Markdown).
void write_markdown(const report& report, const conclusions& conclusions, std::ostream& out);
/// One page that needs nothing else: no network, no scripts, light and dark.
void write_html(const report& report, const conclusions& conclusions, std::ostream& out);

}  // namespace riffle::bench
