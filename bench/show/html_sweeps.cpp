/// What was varied (size, block, threads) is shown as lines, and sizes as a table too.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bench/judge/figures.hpp"
#include "bench/measure/measurements.hpp"
#include "bench/show/html_parts.hpp"
#include "bench/show/in_words.hpp"
#include "bench/show/markup.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

constexpr std::ptrdiff_t most_names = 10;  // of published contenders; more cannot be told apart

std::string full_label(const measurement& line) {
  return prefix_of(line) + line.label;
}

// A generated input is a little smaller than its nominal size.
std::string size_label(double bytes) {
  const double nominal = std::exp2(std::round(std::log2(bytes)));
  return text::short_size(static_cast<std::uint64_t>(std::abs(bytes / nominal - 1) < 0.05 ? nominal : bytes));
}

/// What is varied from point to point. Lines that agree in the rest, as `label_of` says, make one line.
struct variation {
  const char* id;
  const char* heading;
  const char* title;
  const char* x_title;
  const char* caption;
  double (*x_of)(const task_report&, const measurement&);
  std::string (*label_of)(const measurement&);
  std::string (*x_label)(double);
};

constexpr variation by_size{
    "sizes",
    "",
    "Speed of each contender",
    "bytes of the input",
    "Both axes are logarithmic; higher is faster.",
    [](const task_report& table, const measurement&) { return static_cast<double>(table.bytes); },
    full_label,
    size_label};
constexpr variation by_block{
    "blocks",
    "<h3>By block size</h3>\n",
    "Speed by block size",
    "bytes read at a time",
    "riffle’s contenders. Both axes are logarithmic.",
    [](const task_report&, const measurement& line) { return static_cast<double>(line.block_size); },
    [](const measurement& line) { return label_of(line.name, line.role, 0, line.threads); },
    size_label};
constexpr variation by_threads{
    "threads",
    "<h3>By threads</h3>\n",
    "Speed by number of threads",
    "threads",
    "riffle’s contenders and the limits. Both axes are logarithmic.",
    [](const task_report&, const measurement& line) { return static_cast<double>(line.threads); },
    [](const measurement& line) { return label_of(line.name, line.role, line.block_size, 1); },
    [](double threads) { return fmt::format("{:g}", threads); }};

// Those of two points or more.
std::vector<series> lines_of(const variation& by, const std::vector<shown_table>& tables, bool published) {
  std::vector<series> lines;
  for (const shown_table& each : tables) {
    for (const measurement& line : each.table->lines) {
      const double x = by.x_of(*each.table, line);
      const series_group group = group_of(line);
      if (!line.measured() || x <= 0 || (group == series_group::published && !published)) continue;
      const std::string label = by.label_of(line);
      auto same = std::ranges::find_if(
          lines, [&](const series& other) { return other.label == label && other.group == group; });
      if (same == lines.end()) same = lines.insert(same, series{.label = label, .group = group});
      same->points.push_back({x, gb_per_s(*each.table, line), gb_per_s_interval(*each.table, line)});
    }
  }
  std::erase_if(lines, [](const series& each) { return each.points.size() < 2; });
  for (series& each : lines) std::ranges::sort(each.points, {}, &point::x);
  std::ranges::stable_sort(lines, {}, &series::group);
  return lines;
}

std::string chart_of(const variation& by, const page_section& section, const std::vector<series>& lines,
                     std::string_view more = {}) {
  if (lines.empty()) return {};
  return by.heading + figure(line_chart({.id = section.id + "-" + by.id,
                                         .title = fmt::format("{}: {}", by.title, section.title),
                                         .description = "Lines of speed on log axes, one for each "
                                                        "contender; a table has the figures."},
                                        by.x_title, "GB/s", by.x_label, lines),
                             fmt::format("{}{}", by.caption, more));
}

// The published contenders that are, at some size, the fastest of their method.
std::set<std::string> notable(const page_section& section) {
  std::set<std::string> names;
  for (const shown_table& size : section.sizes) {
    std::set<std::string_view> methods;
    for (const measurement& line : size.table->lines) {
      if (!line.measured() || group_of(line) != series_group::published) continue;
      if (methods.insert(line.method).second) names.insert(full_label(line));
    }
  }
  return names;
}

std::string size_cell(const task_report& table, const measurement& like) {
  const auto line = std::ranges::find_if(table.lines, [&](const measurement& each) {
    return each.program == like.program && each.label == like.label;
  });
  if (line == table.lines.end()) return "–";
  if (!line->measured()) return std::string(outcome_in_words(*line));
  return fmt::format("{}<small>{}</small>", text::short_number(gb_per_s(table, *line)),
                     text::human_seconds(line->seconds.median));
}

}  // namespace

std::string chart_of_sizes(const page_section& section) {
  std::vector<series> lines = lines_of(by_size, section.sizes, true);
  if (std::ranges::count(lines, series_group::published, &series::group) <= most_names)
    return chart_of(by_size, section, lines);
  const std::set<std::string> named = notable(section);
  for (series& each : lines)
    each.in_background = each.group == series_group::published && !named.contains(each.label);
  return chart_of(by_size, section, lines,
                  " Labels name the published contenders that are the fastest of their method at some size; "
                  "thin lines are the others.");
}

std::string table_of_sizes(const page_section& section, bool brief) {
  std::vector<std::string> headings{"Contender"};
  for (const shown_table& size : section.sizes) headings.push_back(text::human_size(size.table->bytes));
  std::string rows;
  for (const measurement* like : rows_of(section.largest(), brief)) {
    rows += row_start(*like, full_label(*like));
    for (const shown_table& size : section.sizes) rows += cells_of({size_cell(*size.table, *like)});
    rows += "</tr>\n";
  }
  return table_of(fmt::format(R"( data-sweep="{}")", section.id),
                  escaped(section.title) + ": GB/s and median time", headings, rows);
}

std::string charts_of_varied(const page_section& section) {
  std::string charts;
  for (const variation& by : {by_block, by_threads})
    charts += chart_of(by, section, lines_of(by, {section.sizes.back()}, false));
  return charts;
}

}  // namespace riffle::bench
