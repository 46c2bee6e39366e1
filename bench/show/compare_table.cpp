/// Prints a comparison: failures first, then changes, and unchanged contenders as a number.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ostream>

#include "bench/show/outputs.hpp"
#include "text/columns.hpp"
#include "text/joined.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

std::size_t name_width() {
  constexpr std::size_t others = 31;
  return text::terminal_columns() - others;
}

/// The contenders that are listed together, and how they are counted.
struct section {
  std::string_view title;
  std::string_view counted;
  change which;
  bool of_riffle;
  bool of_others;
  bool only_all = false;  // listed only if all are asked for
};

// A published contender that is many times slower than the best has few runs by design. riffle's have enough.
constexpr std::array sections{
    section{"Failed or wrong", "failed or wrong", change::failed, true, true},
    section{"Slower than A", "slower", change::slower, true, false},
    section{"Not measured again", "not measured again", change::lost, true, true},
    section{"No more than the machine may have", "that the machine's change may explain", change::machines,
            true, false},
    section{"Too few runs to tell", "with too few runs", change::undecided, true, false},
    section{"Faster than A", "faster", change::faster, true, false},
    section{"Slower, but not riffle's", "of others slower", change::slower, false, true},
    section{"Faster, but not riffle's", "of others faster", change::faster, false, true},
    section{"Too few runs, and not riffle's", "of others with too few runs", change::undecided, false, true,
            true},
    section{"As the machine, and not riffle's", "of others that the machine's change may explain",
            change::machines, false, true, true},
    section{"Not changed", "unchanged", change::same, true, true, true},
    section{"Not in both", "not in both", change::missing, true, true, true}};

/// The text in lines that fit. Names in a result file may hold any bytes.
void print_wrapped(const std::string& text, std::size_t indent, std::ostream& out) {
  out << text::wrapped(text::printable(text), indent);
}

void print_name(std::string_view letter, const named_report& of, std::ostream& out) {
  const report& report = of.report;
  print_wrapped(fmt::format("{}: {}, {}, riffle {} ({})", letter, of.name,
                            report.started.empty() ? "no date" : report.started, report.facts.version,
                            report.facts.active_kernel),
                3, out);
  if (!report.complete)
    print_wrapped(fmt::format("   not complete: {}; contenders may be missing", report.stopped_by), 3, out);
}

std::string drift_text(cache_mode cache, const drift& by) {
  if (!by.known)
    return fmt::format(
        "{}: ratios are absolute: the machine's drift shows in 5 published contenders or more, and {} are in "
        "both results. Measure without --contender.",
        name_of(cache), by.rows);
  if (by.disputed)
    return fmt::format(
        "{}: the machine changed between the runs: the {} published contenders were {:.2f}x {} in B, and the "
        "limits of the machine were not. Ratios are absolute, and a change counts only if it is one with and "
        "without that drift. Measure both again, in turn.",
        name_of(cache), by.rows, std::max(by.ratio, 1 / by.ratio), by.ratio > 1 ? "slower" : "faster");
  const std::string speed = std::abs(by.ratio - 1) < 0.005
                                ? "as fast in B as in A"
                                : fmt::format("{:.2f}x {} in B than in A", std::max(by.ratio, 1 / by.ratio),
                                              by.ratio > 1 ? "slower" : "faster");
  return fmt::format("{}: the {} published contenders were {}. Ratios are corrected for that drift.",
                     name_of(cache), by.rows, speed);
}

void print_machines(const comparison& found, std::ostream& out) {
  if (!found.facts.empty()) out << "The machines of A and B differ:\n";
  for (const std::string& fact : found.facts) print_wrapped("  " + fact, 4, out);
  if (!found.same_machine) {
    print_wrapped("B differs from A in processors, OS kernel, compiler or flags: its ratios are absolute.", 0,
                  out);
    return;
  }
  for (const auto& [cache, by] : found.drifts) print_wrapped(drift_text(cache, by), 0, out);
}

std::string heading_of(const task_report& table) {
  return text::printable(fmt::format("{}, {}, {}, {}", name_of(table.task), table.input,
                                     text::human_size(table.bytes), name_of(table.cache)));
}

std::string time_text(const measurement* line) {
  return line != nullptr && line->measured() ? text::human_seconds(line->seconds.median) : "-";
}

std::string ratio_text(const compared_row& row) {
  if (row.change > change::undecided) return "-";
  return row.ratio < 1000 ? fmt::format("{:.2f}x", row.ratio) : fmt::format("{:.1e}", row.ratio);
}

void print_row(const compared_row& row, std::size_t name_columns, std::ostream& out) {
  const std::string name = text::printable(row.line().program + "/" + row.line().label);
  out << fmt::format("  {}{:>10}{:>10}{:>9}\n",
                     text::left_aligned(text::shortened(name, name_columns - 1), name_columns),
                     time_text(row.base), time_text(row.later), ratio_text(row));
}

// Under a title, with a heading for each task and input; returns how many there are.
std::size_t print_section(const section& of, const std::vector<compared_row>& rows, bool listed,
                          std::ostream& out) {
  const std::size_t name_columns = name_width();
  std::size_t count = 0;
  std::string heading;
  for (const compared_row& row : rows) {
    if (row.change != of.which || !(row.is_riffles() ? of.of_riffle : of.of_others)) continue;
    if (++count == 1 && listed)
      out << fmt::format("\n{}{:>10}{:>10}{:>9}\n",
                         text::left_aligned(text::shortened(of.title, name_columns + 1), name_columns + 2),
                         "A", "B", "B/A");
    if (!listed) continue;
    if (const std::string own = heading_of(*row.table); own != heading) {
      heading = own;
      out << text::shortened(heading, text::terminal_columns()) << '\n';
    }
    print_row(row, name_columns, out);
  }
  return count;
}

}  // namespace

void print_comparison(const named_report& base, const named_report& later, const comparison& found, bool all,
                      std::ostream& out) {
  print_name("A", base, out);
  print_name("B", later, out);
  out << '\n';
  print_machines(found, out);
  std::vector<std::string> counts;
  for (const section& each : sections) {
    if (const std::size_t count = print_section(each, found.rows, all || !each.only_all, out); count > 0)
      counts.push_back(fmt::format("{} {}", count, each.counted));
  }
  out << '\n';
  print_wrapped(fmt::format("B: {}.", counts.empty() ? "nothing" : text::joined(counts, ", ")), 3, out);
  for (const std::string& answers : found.answers)
    print_wrapped("ERROR: A and B give different answers for the same generated input: " + answers, 2, out);
  const auto any_of_riffle = [&](change which) {
    return std::ranges::any_of(
        found.rows, [=](const compared_row& row) { return row.is_riffles() && row.change == which; });
  };
  if (any_of_riffle(change::machines))
    print_wrapped(
        "UNDECIDED: contenders of riffle changed no more than the machine may have. Measure both again, in "
        "turn.",
        2, out);
  if (any_of_riffle(change::undecided))
    print_wrapped(
        "UNDECIDED: contenders of riffle have too few runs to tell whether they changed. Measure again with "
        "a longer --time, or with fewer contenders.",
        2, out);
  if (std::ranges::none_of(found.rows,
                           [](const compared_row& row) { return row.change <= change::undecided; }))
    out << "ERROR: no contender was measured in both.\n";
}

}  // namespace riffle::bench
