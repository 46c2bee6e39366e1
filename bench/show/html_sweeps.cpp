/// What was varied (size, block, threads) is shown as bars under a heading for each, and sizes as a table
/// too.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "bench/judge/figures.hpp"
#include "bench/judge/words.hpp"
#include "bench/measure/measurements.hpp"
#include "bench/show/html_parts.hpp"
#include "bench/show/in_words.hpp"
#include "bench/show/markup.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

/// What is varied from bar to bar. Lines that agree in the rest, as `shared` says, stand under one heading.
struct variation {
  const char* id;
  const char* title;
  std::string (*shared)(const measurement&);
  std::size_t (*varied)(const measurement&);  // 0: nothing of it
  std::string (*label)(std::size_t varied);
};

constexpr variation by_block{
    "blocks", "By block size",
    [](const measurement& line) { return label_of(line.name, line.role, 0, line.threads); },
    [](const measurement& line) { return line.block_size; },
    [](std::size_t bytes) { return text::short_size(bytes); }};
constexpr variation by_threads{
    "threads", "By threads",
    [](const measurement& line) { return label_of(line.name, line.role, line.block_size, 1); },
    [](const measurement& line) { return std::size_t{line.threads}; },
    [](std::size_t threads) { return counted(threads, "thread"); }};

std::string chart_of(const variation& by, const page_section& section) {
  const task_report& table = section.largest();
  std::map<std::string, std::map<std::size_t, bar>> groups;
  for (const measurement& line : table.lines) {
    const std::size_t varied = by.varied(line);
    if (!line.measured() || varied == 0 || group_of(line) == series_group::published) continue;
    bar& each = groups[by.shared(line)][varied];
    each = bar_of(table, line);
    each.heading = by.shared(line);
    each.label = by.label(varied);
  }
  std::vector<bar> bars;
  for (const auto& [heading, group] : groups) {
    for (const auto& [varied, each] : group) {
      if (group.size() > 1) bars.push_back(each);
    }
  }
  const std::string chart =
      bar_chart({.id = section.id + "-" + by.id,
                 .title = fmt::format("{}: {}", by.title, section.title),
                 .description = "Bars of speed, one for each value; the table above has every figure."},
                "GB/s", bars);
  if (chart.empty()) return {};
  return fmt::format("<h3>{}</h3>\n", by.title) + figure(chart, "riffle’s contenders and the limits.");
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
  std::vector<bar> bars;
  for (const shown_table& size : section.sizes)
    add_overview(*size.table, text::human_size(size.table->bytes), bars);
  return figure(bar_chart({.id = section.id + "-sizes",
                           .title = "By size: " + section.title,
                           .description = "For each size: riffle, the best contender that is not riffle, and "
                                          "the limit. The table below has every figure."},
                          "GB/s", bars),
                "For each size: riffle, the best that is not riffle, and the limit.");
}

std::string table_of_sizes(const page_section& section, bool brief) {
  std::vector<std::string> headings{"Contender"};
  for (const shown_table& size : section.sizes) headings.push_back(text::human_size(size.table->bytes));
  std::string rows;
  for (const measurement* like : rows_of(section.largest(), brief)) {
    rows += row_start(*like, prefix_of(*like) + like->label);
    for (const shown_table& size : section.sizes) rows += cells_of({size_cell(*size.table, *like)});
    rows += "</tr>\n";
  }
  return table_of(fmt::format(R"( data-sweep="{}")", section.id),
                  escaped(section.title) + ": GB/s and median time", headings, rows);
}

std::string charts_of_varied(const page_section& section) {
  return chart_of(by_block, section) + chart_of(by_threads, section);
}

}  // namespace riffle::bench
