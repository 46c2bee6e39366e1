/// Prints a comparison: failures first, then changes, and unchanged contenders as a number.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <ostream>

#include "bench/judge/compare.hpp"
#include "text/columns.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

constexpr std::size_t name_width = 49;

/// "A", "B", ...: what a report is called below its name.
std::string letter(std::size_t index) {
  return index < 26 ? std::string(1, static_cast<char>('A' + index)) : fmt::format("#{}", index + 1);
}

/// The text in lines that fit. Names in a result file may hold any bytes.
void print_wrapped(const std::string& text, std::size_t indent, std::ostream& out) {
  out << text::wrapped(text::printable(text), indent);
}

std::string ratio_text(double ratio) {
  return ratio < 1000 ? fmt::format("{:.2f}x", ratio) : fmt::format("{:.1e}", ratio);
}

std::string time_text(const std::optional<double>& seconds) {
  return seconds ? text::human_seconds(*seconds) : "-";
}

std::string verdict_text(const compared_cell& cell) {
  switch (cell.change) {
    case change::none:
      return "same";
    case change::missing:
    case change::lost:
      return "-";
    case change::failed:
      return "failed";
    case change::faster:
    case change::slower:
    case change::machine:
      return ratio_text(cell.ratio);
    case change::undecided:
      return "too few";
  }
  return "";
}

std::string heading_of(const compared_row& row) {
  return text::printable(fmt::format("{}, {}, {}, {}", name_of(row.task), row.input,
                                     text::human_size(row.bytes), name_of(row.cache)));
}

bool has(const compared_row& row, change which) {
  return std::ranges::any_of(row.cells, [which](const compared_cell& cell) { return cell.change == which; });
}

// A contender that is slower in one report and faster in another counts as slower.
change change_of(const compared_row& row) {
  if (has(row, change::failed)) return change::failed;
  if (has(row, change::slower)) return change::slower;
  if (has(row, change::lost)) return change::lost;
  if (has(row, change::undecided)) return change::undecided;
  if (has(row, change::faster)) return change::faster;
  return has(row, change::machine) ? change::machine : change::none;
}

void print_names(const std::vector<named_report>& reports, std::ostream& out) {
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const report& report = reports[i].report;
    print_wrapped(fmt::format("{}: {}, {}, riffle {} ({})", letter(i), reports[i].name,
                              report.started.empty() ? "no date" : report.started, report.facts.version,
                              report.facts.active_kernel),
                  3, out);
    if (report.complete) continue;
    print_wrapped(fmt::format("   not complete: {}; contenders may be missing", report.stopped_by), 3, out);
  }
}

// `where`: "from memory" or "from the device".
std::string drift_text(const yardsticks& by, const std::string& name, std::string_view where) {
  if (!by.drift) {
    return fmt::format(
        "{}'s ratios for reading {} are absolute: the machine's drift shows in 5 published contenders or "
        "more, and {} are in both results. Measure without --contender.",
        name, where, by.rows);
  }
  const double drift = *by.drift;
  const std::string speed = std::abs(drift - 1) < 0.005
                                ? fmt::format("as fast in {} as in A", name)
                                : fmt::format("{:.2f}x {} in {} than in A", drift > 1 ? drift : 1 / drift,
                                              drift > 1 ? "slower" : "faster", name);
  return fmt::format(
      "Read {}, the {} published contenders were {}. {}'s ratios are corrected for that drift.", where,
      by.rows, speed, name);
}

void print_drift(const comparison& comparison, std::size_t i, std::ostream& out) {
  const compared_report& each = comparison.reports[i];
  const std::string name = letter(i + 1);
  if (!each.same_machine) {
    print_wrapped(
        fmt::format("{} differs from A in processors, OS kernel, compiler or flags: its ratios are absolute.",
                    name),
        0, out);
    return;
  }
  const auto in_memory = std::ranges::count_if(comparison.rows, is_cached, &compared_row::cache);
  if (in_memory > 0) print_wrapped(drift_text(each.memory, name, "from memory"), 0, out);
  if (in_memory < std::ranges::ssize(comparison.rows))
    print_wrapped(drift_text(each.device, name, "from the device"), 0, out);
}

void print_machines(const comparison& comparison, std::ostream& out) {
  for (std::size_t i = 0; i < comparison.reports.size(); ++i) {
    const compared_report& each = comparison.reports[i];
    const std::string name = letter(i + 1);
    out << '\n';
    if (!each.facts.empty()) out << "The machines of A and " << name << " differ:\n";
    for (const std::string& fact : each.facts) print_wrapped("  " + fact, 4, out);
    print_drift(comparison, i, out);
  }
}

void print_row(const compared_row& row, std::ostream& out) {
  const std::string name = text::shortened(text::printable(row.program + "/" + row.label), name_width - 1);
  out << fmt::format("  {}{:>10}", text::left_aligned(name, name_width), time_text(row.seconds));
  for (const compared_cell& cell : row.cells)
    out << fmt::format("{:>10}{:>9}", time_text(cell.seconds), verdict_text(cell));
  out << '\n';
}

// Prints the contenders that `belongs` picks, under a title and a heading for each task and input.
template <class Belongs>
void print_section(const std::string& title, const comparison& comparison, Belongs belongs,
                   std::ostream& out) {
  std::string heading;
  for (const compared_row& row : comparison.rows) {
    if (!belongs(row)) continue;
    if (heading.empty()) {
      out << fmt::format("\n{:<{}}{:>10}", title, name_width + 2, "A");
      for (std::size_t i = 1; i <= comparison.reports.size(); ++i)
        out << fmt::format("{:>10}{:>9}", letter(i), letter(i) + "/A");
      out << '\n';
    }
    if (const std::string own = heading_of(row); own != heading) {
      heading = own;
      out << text::shortened(heading, text::terminal_columns) << '\n';
    }
    print_row(row, out);
  }
}

void print_counts(const comparison& comparison, std::ostream& out) {
  out << '\n';
  for (std::size_t i = 0; i < comparison.reports.size(); ++i) {
    const auto count = [&](change which) {
      return std::ranges::count_if(comparison.rows,
                                   [&](const compared_row& row) { return row.cells[i].change == which; });
    };
    const auto moved = count(change::machine);
    const auto lost = count(change::lost);
    const auto undecided = count(change::undecided);
    print_wrapped(
        fmt::format("{}: {} slower, {} faster, {} unchanged, {}{}{}{} not in both, {} failed or wrong.",
                    letter(i + 1), count(change::slower), count(change::faster), count(change::none),
                    moved > 0 ? fmt::format("{} changed with the machine, ", moved) : "",
                    undecided > 0 ? fmt::format("{} with too few runs, ", undecided) : "",
                    lost > 0 ? fmt::format("{} not measured again, ", lost) : "", count(change::missing),
                    count(change::failed)),
        3, out);
  }
}

void print_answers(const comparison& comparison, std::ostream& out) {
  for (std::size_t i = 0; i < comparison.reports.size(); ++i) {
    for (const std::string& answers : comparison.reports[i].answers) {
      print_wrapped(fmt::format("ERROR: A and {} give different answers for the same generated input: {}",
                                letter(i + 1), answers),
                    2, out);
    }
  }
}

}  // namespace

void print_comparison(const std::vector<named_report>& reports, const comparison& comparison, bool all,
                      std::ostream& out) {
  const auto changed = [](change which) {
    return [which](const compared_row& row) { return change_of(row) == which; };
  };
  // A contender that is many times slower than the best has few runs by design. riffle's have enough.
  const auto is_listed_undecided = [all](const compared_row& row) {
    return change_of(row) == change::undecided && (all || row.role == role::riffle);
  };
  print_names(reports, out);
  print_machines(comparison, out);
  print_section("Failed or wrong", comparison, changed(change::failed), out);
  print_section("Slower than A", comparison, changed(change::slower), out);
  print_section("Not measured again", comparison, changed(change::lost), out);
  print_section("Too few runs to tell", comparison, is_listed_undecided, out);
  print_section("Faster than A", comparison, changed(change::faster), out);
  print_section("Changed with the machine, not with riffle", comparison, changed(change::machine), out);
  if (all) print_section("Not changed", comparison, changed(change::none), out);
  print_counts(comparison, out);
  print_answers(comparison, out);
  if (anything_undecided(comparison)) {
    print_wrapped(
        "UNDECIDED: contenders of riffle have too few runs to tell whether they changed. Measure again with "
        "a longer --time, or with fewer contenders.",
        2, out);
  }
  if (!anything_compared(comparison))
    out << "ERROR: no contender was measured in both A and another result.\n";
}

}  // namespace riffle::bench
