/// A task's section of the HTML page: what was done, its bars, its table; of several sizes an overview too.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/judge/conclusions.hpp"
#include "bench/show/html_parts.hpp"
#include "bench/show/in_words.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

std::string bars_of(const page_section& section) {
  const task_report& shown = section.largest();
  std::vector<bar> bars;
  for (const measurement& line : shown.lines) {
    if (line.measured()) bars.push_back(bar_of(shown, line));
  }
  std::ranges::stable_sort(bars, {}, &bar::group);
  std::string description = "Bars of speed, one for each contender; the table below has every figure.";
  if (const std::optional<std::size_t> fastest = section.conclusions().fastest) {
    const measurement& line = shown.lines[*fastest];
    description = fmt::format("{} The fastest is {}/{} with {} {}.", description, line.program, line.label,
                              text::short_number(speed_of(shown, line)), speed_unit_of(shown));
  }
  return figure(bar_chart({.id = section.id + "-bars",
                           .title = "Speed of each contender: " + section.title,
                           .description = description},
                          speed_unit_of(shown), bars),
                "Longer is faster. The small frame at a bar’s end is the 95&nbsp;% interval of its median; "
                "the dotted lines are the limits, measured in the same rounds.");
}

// "1.39 – 1.41 ms": the unit once if both ends have the same.
std::string interval_text(const std::optional<interval>& within) {
  if (!within) return "–";
  const std::string low = text::human_seconds(within->low);
  const std::string high = text::human_seconds(within->high);
  const std::size_t space = low.find(' ');
  const bool same_unit = low.substr(space) == high.substr(high.find(' '));
  return (same_unit ? low.substr(0, space) : low) + " – " + high;
}

std::string against_fastest(const measurement& line, const standing& standing) {
  if (line.is_limit()) return {};
  const std::optional<difference>& by = standing.against_fastest;
  if (!by) return standing.rank == 0 ? "cannot be told apart" : "fastest";
  if (!by->certain || !std::isfinite(by->ratio)) return std::string(in_words(*by));
  return text::short_number(by->ratio) + " ×";
}

std::string measured_cells(const task_report& table, const measurement& line, const standing& standing) {
  const usage& used = line.usage;
  const unsigned together = line.result.runs_per_sample;
  return cells_of({text::human_seconds(line.seconds.median), interval_text(line.seconds.ci95),
                   text::short_number(speed_of(table, line)), against_fastest(line, standing),
                   share_of_limit(line), processor_time(line), peak_memory(line),
                   text::with_commas(used.minor_faults), text::with_commas(used.major_faults),
                   fmt::format("{}{}", line.seconds.samples,
                               together > 1 ? fmt::format(" × {}", together) : std::string())});
}

std::string table_of_lines(const shown_table& shown) {
  const task_report& table = *shown.table;
  if (table.lines.empty()) return {};
  std::string rows;
  for (std::size_t i = 0; i < table.lines.size(); ++i) {
    const measurement& line = table.lines[i];
    rows += row_start(line, line.label) + cells_of({escaped(line.program), escaped(line.method)});
    if (line.measured()) {
      rows += measured_cells(table, line, shown.conclusions->standings[i]);
    } else {
      const bool amiss = line.result.outcome == outcome::failed || line.result.outcome == outcome::wrong;
      rows += fmt::format(R"(<td class="wide" colspan="10"><strong{}>{}</strong>{}{}</td>)",
                          amiss ? " class=\"bad\"" : "", outcome_in_words(line),
                          line.result.reason.empty() ? "" : ": ", escaped(line.result.reason));
    }
    rows += "</tr>\n";
  }
  return table_of(R"( class="lines-of")",
                  fmt::format("{} on {}, {}: every contender", name_of(table.task), escaped(table.input),
                              name_of(table.cache)),
                  {"Contender", "|Program", "|Method", "Median", "95&nbsp;% interval",
                   std::string(speed_unit_of(table)), "Time against<br>the fastest", "Share of<br>limit",
                   "CPU,<br>user + system", "Peak<br>memory", "Minor<br>faults", "Major<br>faults", "Runs"},
                  rows);
}

std::optional<interval> speed_interval(const task_report& table, const measurement& line) {
  if (!line.seconds.ci95 || line.seconds.ci95->low <= 0) return std::nullopt;
  const double work = speed_of(table, line) * line.seconds.median;
  return interval{work / line.seconds.ci95->high, work / line.seconds.ci95->low};
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

std::string table_of_sizes(const page_section& section) {
  std::vector<std::string> headings{"Contender"};
  for (const shown_table& size : section.sizes) headings.push_back(text::human_size(size.table->bytes));
  std::string rows;
  for (const measurement& like : section.largest().lines) {
    rows += row_start(like, prefix_of(like) + like.label);
    for (const shown_table& size : section.sizes) rows += cells_of({size_cell(*size.table, like)});
    rows += "</tr>\n";
  }
  return table_of("", escaped(section.title) + ": GB/s and median time", headings, rows);
}

}  // namespace

series_group group_of(const measurement& line) {
  if (line.is_limit()) return series_group::limit;
  return line.role == role::riffle ? series_group::riffle : series_group::published;
}

std::string prefix_of(const measurement& line) {
  return line.role == role::published ? line.program + "/" : std::string();
}

bar bar_of(const task_report& table, const measurement& line) {
  return {.prefix = prefix_of(line),
          .label = line.label,
          .group = group_of(line),
          .value = speed_of(table, line),
          .ci95 = speed_interval(table, line),
          .heading = line.role == role::command ? "Commands" : ""};
}

std::string task_section(const page_section& section) {
  const task_report& shown = section.largest();
  const std::string size = text::human_size(shown.bytes);
  std::string content = fmt::format(
      "<p class=\"about\">Task: {}. Input: {}, {}{}{}. Cache: {}.{}</p>\n", description_of(shown.task),
      shown.files == 1 ? "1 file" : fmt::format("{} files", shown.files),
      section.sweep() ? text::human_size(section.sizes.front().table->bytes) + " to " : "", size,
      shown.made ? ", generated for this run" : "", description_of(shown.cache),
      shown.faults_per_mib ? fmt::format(" Page faults of a mapping: {:.3g} a MiB.", *shown.faults_per_mib)
                           : std::string());
  if (section.sweep())
    content +=
        chart_of_sizes(section) + table_of_sizes(section) + "<h3>The largest size, " + size + "</h3>\n";
  content += bars_of(section) + table_of_lines(section.sizes.back());
  return section_of(section.id, escaped(section.title), content);
}

}  // namespace riffle::bench
