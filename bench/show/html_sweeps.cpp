/// What was varied (size, block, threads) is shown as lines, and sizes as a table too.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "bench/judge/figures.hpp"
#include "bench/measure/measurements.hpp"
#include "bench/show/html_parts.hpp"
#include "bench/show/in_words.hpp"
#include "bench/show/markup.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

constexpr std::size_t most_names = 10;  // of published contenders; more cannot be told apart
constexpr std::size_t most_ticks = 8;

std::string full_label(const measurement& line) {
  return prefix_of(line) + line.label;
}

series& line_named(std::vector<series>& all, const std::string& label, series_group group) {
  const auto found = std::ranges::find_if(
      all, [&](const series& each) { return each.label == label && each.group == group; });
  if (found != all.end()) return *found;
  return all.emplace_back(series{.label = label, .group = group});
}

point point_of(const task_report& table, const measurement& line, double x) {
  return {x, gb_per_s(table, line), gb_per_s_interval(table, line)};
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

std::string figure(const std::string& chart, const std::string& caption) {
  if (chart.empty()) return {};
  return fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", chart, caption);
}

// riffle's contenders, and the limits if they vary too, as lines over what `x_of` takes from each;
// `label_of` is the same for the rows that make one line. Only lines of two points or more.
template <class XOf, class LabelOf>
std::vector<series> varied(const task_report& table, XOf x_of, LabelOf label_of) {
  std::vector<series> lines;
  for (const measurement& line : table.lines) {
    const double x = x_of(line);
    if (!line.measured() || group_of(line) == series_group::published || x <= 0) continue;
    line_named(lines, label_of(line), group_of(line)).points.push_back(point_of(table, line, x));
  }
  std::erase_if(lines, [](const series& each) { return each.points.size() < 2; });
  for (series& each : lines) std::ranges::sort(each.points, {}, &point::x);
  std::ranges::stable_sort(lines, {}, &series::group);
  return lines;
}

std::vector<tick> whole_ticks(const std::vector<series>& lines) {
  std::map<double, std::string> found;
  for (const series& line : lines) {
    for (const point& each : line.points) found[each.x] = fmt::format("{:g}", each.x);
  }
  std::vector<tick> ticks;
  ticks.reserve(found.size());
  for (const auto& [at, label] : found) ticks.push_back({at, label});
  return ticks;
}

std::string by_block_size(const page_section& section) {
  const task_report& shown = section.largest();
  const std::vector<series> lines = varied(
      shown, [](const measurement& line) { return static_cast<double>(line.block_size); },
      [](const measurement& line) {
        return line.threads == 1 ? line.name : fmt::format("{} x{}", line.name, line.threads);
      });
  if (lines.empty()) return {};
  double low = lines.front().points.front().x;
  double high = low;
  for (const series& line : lines) {
    low = std::min(low, line.points.front().x);
    high = std::max(high, line.points.back().x);
  }
  return "<h3>By block size</h3>\n" +
         figure(line_chart(
                    {.id = section.id + "-blocks",
                     .title = "Speed by block size: " + section.title,
                     .description = "Lines of speed over the bytes read at a time, on log axes; the table "
                                    "of the contenders has the figures."},
                    "bytes read at a time", "GB/s", size_ticks(low, high, most_ticks), lines),
                "riffle’s contenders. Both axes are logarithmic.");
}

std::string by_threads(const page_section& section) {
  const task_report& shown = section.largest();
  const std::vector<series> lines = varied(
      shown, [](const measurement& line) { return static_cast<double>(line.threads); },
      [](const measurement& line) { return label_of(line.name, line.role, line.block_size, 1); });
  if (lines.empty()) return {};
  return "<h3>By threads</h3>\n" +
         figure(line_chart(
                    {.id = section.id + "-threads",
                     .title = "Speed by number of threads: " + section.title,
                     .description = "Lines of speed over the number of threads, on log axes; the table of "
                                    "the contenders has the figures."},
                    "threads", "GB/s", whole_ticks(lines), lines),
                "riffle’s contenders and the limits. Both axes are logarithmic.");
}

std::string size_cell(const task_report& table, const measurement* line) {
  if (line == nullptr) return "<td>–</td>";
  if (!line->measured()) {
    switch (line->result.outcome) {
      case outcome::unavailable:
        return "<td>not available</td>";
      case outcome::failed:
        return R"(<td class="bad">failed</td>)";
      case outcome::wrong:
        return R"(<td class="bad">wrong</td>)";
      case outcome::measured:
        return "<td>not run</td>";
    }
  }
  return fmt::format("<td>{}<small>{}</small></td>", text::short_number(gb_per_s(table, *line)),
                     text::human_seconds(line->seconds.median));
}

const measurement* find_line(const task_report& table, const measurement& like) {
  const auto found = std::ranges::find_if(table.lines, [&](const measurement& line) {
    return line.program == like.program && line.label == like.label;
  });
  return found == table.lines.end() ? nullptr : &*found;
}

}  // namespace

std::string chart_of_sizes(const page_section& section) {
  std::vector<series> lines;
  for (const shown_table& size : section.sizes) {
    for (const measurement& line : size.table->lines) {
      if (!line.measured()) continue;
      line_named(lines, full_label(line), group_of(line))
          .points.push_back(point_of(*size.table, line, static_cast<double>(size.table->bytes)));
    }
  }
  std::ranges::stable_sort(lines, {}, &series::group);
  std::string caption = "Both axes are logarithmic; higher is faster.";
  if (std::ranges::count(lines, series_group::published, &series::group) >
      static_cast<std::ptrdiff_t>(most_names)) {
    const std::set<std::string> named = notable(section);
    for (series& each : lines) {
      each.in_background = each.group == series_group::published && !named.contains(each.label);
    }
    caption +=
        " Labels name the published contenders that are the fastest of their method at some size; thin lines "
        "are the others.";
  }
  const auto low = static_cast<double>(section.sizes.front().table->bytes);
  const auto high = static_cast<double>(section.largest().bytes);
  return figure(
      line_chart({.id = section.id + "-sizes",
                  .title = "Speed of each contender: " + section.title,
                  .description = "Lines of speed over the size of the input, on log axes, one for each "
                                 "contender; the table below has the figures."},
                 "bytes of the input", "GB/s", size_ticks(low, high, most_ticks), lines),
      caption);
}

std::string table_of_sizes(const page_section& section, page_detail how_much) {
  std::string out = fmt::format(R"(<div class="scroll" role="region" tabindex="0" aria-label="{0}: speeds">)"
                                R"(<table data-sweep="{1}"><caption>{0}: GB/s and median time</caption>)"
                                R"(<thead><tr><th scope="col">Contender</th>)",
                                escaped(section.title), section.id);
  auto to = std::back_inserter(out);
  for (const shown_table& size : section.sizes) {
    fmt::format_to(to, R"(<th scope="col" data-bytes="{}">{}</th>)", size.table->bytes,
                   text::human_size(size.table->bytes));
  }
  out += "</tr></thead><tbody>\n";
  for (const measurement* like : rows_of(section.largest(), how_much)) {
    fmt::format_to(to, R"(<tr class="{}"><th scope="row">{}</th>)", class_of(group_of(*like)),
                   escaped(full_label(*like)));
    for (const shown_table& size : section.sizes)
      out += size_cell(*size.table, find_line(*size.table, *like));
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string charts_of_varied(const page_section& section) {
  return by_block_size(section) + by_threads(section);
}

}  // namespace riffle::bench
