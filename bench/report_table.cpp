/// Why this file exists: the table on the terminal, clear enough to show to a stranger.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>

#include "report.hpp"

namespace riffle::bench {

namespace {

std::string human_size(std::uint64_t bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 1024 && unit + 1 < std::size(units); ++unit) size /= 1024;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", size, units[unit]);
}

// Prints `text` with line breaks between words, so that no line is wider than the table.
void print_wrapped(std::string_view text, std::ostream& out) {
  std::size_t width = 100;
  while (text.size() > width) {
    const std::size_t space = text.rfind(' ', width);
    const std::size_t cut = space == std::string_view::npos || space == 0 ? width : space;
    out << text.substr(0, cut) << "\n   ";
    text.remove_prefix(cut);
    width = 97;  // what the indentation leaves
  }
  out << text << '\n';
}

void print_measured(const task_report& report, const line_of_report& line, std::ostream& out) {
  const line_of_report* const limit = limit_of(report);
  const line_of_report* const best = best_of(report);
  const double median = line.seconds.median;
  std::string of_limit = "-";
  std::string of_best = "-";
  if (limit != nullptr && median > 0)
    of_limit = fmt::format("{:.0f} %", 100 * limit->seconds.median / median);
  if (best != nullptr && best->seconds.median > 0 && &line != limit) {
    of_best = fmt::format("{:.2f} x", median / best->seconds.median);
  }
  std::string spread = "-";  // one run has none
  if (line.seconds.samples > 1 && median > 0)
    spread = fmt::format("{:.1f} %", 100 * line.seconds.mad / median);
  fmt::print(out, "{} {:<21} {:<15} {:<9} {:>4} {:>10.2f} {:>7.2f} {:>8} {:>7} {:>9}\n",
             &line == limit ? '=' : (line.program == "riffle" ? '>' : ' '), line.name, line.program,
             line.method, line.seconds.samples, median * 1e3, gb_per_s(report, line), spread, of_limit,
             of_best);
}

}  // namespace

void print_machine(const machine& facts, std::ostream& out) {
  fmt::print(out, "riffle {} ({} kernels, {})\n", facts.version, facts.active_kernel, facts.compiler);
  fmt::print(out, "{}, {} processor{}, {} of memory\n", facts.processor, facts.processors,
             facts.processors == 1 ? "" : "s", human_size(facts.memory));
  fmt::print(out, "{}, input on {}\n", facts.kernel, facts.file_system);
}

void print_table(const task_report& report, std::ostream& out) {
  fmt::print(out, "\n{}: {}\n", name_of(report.task), description_of(report.task));
  const std::string many = report.files > 1 ? fmt::format(" ({} files)", report.files) : "";
  fmt::print(
      out, "input: {}{}, {}, {}\n\n", report.input, many, human_size(report.bytes),
      report.made ? "hot: just written, then read once before timing" : "hot: read once before timing");
  fmt::print(out, "  {:<21} {:<15} {:<9} {:>4} {:>10} {:>7} {:>8} {:>7} {:>9}\n", "contender", "from",
             "method", "runs", "median ms", "GB/s", "spread", "limit", "best");
  for (const line_of_report& line : report.lines) {
    if (line.result.outcome == outcome::measured) print_measured(report, line, out);
  }
  for (const line_of_report& line : report.lines) {
    if (line.result.outcome == outcome::measured) continue;
    print_wrapped(
        fmt::format("  {} of {}: {}: {}", line.name, line.program,
                    line.result.outcome == outcome::failed ? "FAILED" : "not run", line.result.reason),
        out);
  }
  if (std::any_of(report.lines.begin(), report.lines.end(), [](const line_of_report& line) {
        return line.result.outcome == outcome::measured && line.seconds.samples < 3;
      })) {
    out << "  Fewer than 3 runs: the time for slow contenders was spent; --time gives more.\n";
  }
  const std::string said = verdict(report);
  const std::size_t second = said.find('\n');
  out << '\n';
  print_wrapped(said.substr(0, second), out);
  if (second != std::string::npos) print_wrapped(said.substr(second + 1), out);
}

}  // namespace riffle::bench
