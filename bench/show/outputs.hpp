/// The forms in which a report is shown: pure functions of the report and of its conclusions.
#pragma once

#include <iosfwd>
#include <string_view>
#include <vector>

#include "bench/data/report.hpp"
#include "bench/judge/compare.hpp"
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

/// Both reports, how their machines differ, and the contenders that failed or changed (`all`: each one),
/// failures first.
void print_comparison(const named_report& base, const named_report& later, const comparison& found, bool all,
                      std::ostream& out);

/// Everything, with each sample, as one JSON object; docs/bench-json.md describes it.
void write_json(const report& report, const conclusions& conclusions, std::ostream& out);
/// The report that `write_json` wrote: judged and written again, it gives the same text. What follows from
/// the rest (statistics, speeds, ranks, verdicts, warnings) is concluded anew. Of each sample there are the
/// seconds and the round; what it used is known as medians only. Throws riffle::error, which names `file` and
/// what is wrong in it, in the words of the JSON library, for any text that is not such a result.
report read_json(std::string_view text, std::string_view file);
/// One line a contender, with a heading line (RFC 4180).
void write_csv(const report& report, const conclusions& conclusions, std::ostream& out);
/// Tables for a README or an issue (GitHub's Markdown).
void write_markdown(const report& report, const conclusions& conclusions, std::ostream& out);
/// One page that needs nothing else: no network, no scripts, light and dark.
void write_html(const report& report, const conclusions& conclusions, std::ostream& out);

}  // namespace riffle::bench
