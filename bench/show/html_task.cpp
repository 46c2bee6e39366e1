/// A task's section of the HTML page: what was done, its bars, its table.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "bench/judge/figures.hpp"
#include "bench/show/html_parts.hpp"
#include "bench/show/in_words.hpp"
#include "bench/show/markup.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

std::string bars_of(const page_section& section) {
  const task_report& shown = section.largest();
  std::vector<bar> bars;
  for (const measurement& line : shown.lines) {
    if (!line.measured()) continue;
    bars.push_back({.prefix = prefix_of(line),
                    .label = line.label,
                    .group = group_of(line),
                    .value = gb_per_s(shown, line),
                    .ci95 = gb_per_s_interval(shown, line)});
  }
  std::ranges::stable_sort(bars, {}, &bar::group);
  std::string description = "Bars of speed, one for each contender; the table below has every figure.";
  if (const std::optional<std::size_t> fastest = section.conclusions().fastest) {
    const measurement& line = shown.lines[*fastest];
    description = fmt::format("{} The fastest is {}/{} with {} GB/s.", description, line.program, line.label,
                              text::short_number(gb_per_s(shown, line)));
  }
  const std::string chart = bar_chart({.id = section.id + "-bars",
                                       .title = "Speed of each contender: " + section.title,
                                       .description = description},
                                      "GB/s", bars);
  if (chart.empty()) return {};
  return "<figure>\n" + chart +
         "<figcaption>Longer is faster. The small frame at a bar’s end is the 95&nbsp;% interval of its "
         "median; the "
         "dotted lines are the limits, measured in the same rounds.</figcaption>\n</figure>\n";
}

// "1.39 – 1.41 ms": the unit once if both ends have the same.
std::string interval_text(const interval& within) {
  const std::string low = text::human_seconds(within.low);
  const std::string high = text::human_seconds(within.high);
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
  const std::optional<interval>& ci95 = line.seconds.ci95;
  const std::optional<double> share = line.of_limit();
  const unsigned together = line.result.runs_per_sample;
  std::string out = fmt::format(R"(<td data-value="{}">{}</td>)", plain_number(line.seconds.median),
                                text::human_seconds(line.seconds.median));
  auto to = std::back_inserter(out);
  if (ci95) {
    fmt::format_to(to, "<td>{}</td>", interval_text(*ci95));
  } else {
    out += "<td>–</td>";
  }
  fmt::format_to(to, "<td>{}</td><td>{}</td>", text::short_number(gb_per_s(table, line)),
                 against_fastest(line, standing));
  if (share) {
    fmt::format_to(to, "<td>{:.0f}&nbsp;% of {}</td>", *share * 100, name_of(line.limit->kind));
  } else {
    out += "<td></td>";
  }
  fmt::format_to(to, "<td>{} + {}</td><td>{}</td><td>{}</td><td>{}</td><td>{}{}</td>",
                 text::human_seconds(line.usage.user_seconds), text::human_seconds(line.usage.system_seconds),
                 text::with_commas(line.usage.minor_faults), text::with_commas(line.usage.major_faults),
                 text::with_commas(line.usage.voluntary_switches + line.usage.involuntary_switches),
                 line.seconds.samples, together > 1 ? fmt::format(" × {}", together) : std::string());
  return out;
}

// What became of a contender that has no times.
std::string why_not(const measurement& line) {
  const std::string reason = line.result.reason.empty() ? "" : ": " + escaped(line.result.reason);
  switch (line.result.outcome) {
    case outcome::unavailable:
      return "not available" + reason;
    case outcome::failed:
      return "<strong class=\"bad\">failed</strong>" + reason;
    case outcome::wrong:
      return "<strong class=\"bad\">wrong answer</strong>" + reason;
    case outcome::measured:
      break;
  }
  return "not run";
}

// What there was no room for in the page.
std::string left_out(page_detail how_much) {
  if (how_much == page_detail::full) return {};
  std::string_view what = "the charts";
  if (how_much == page_detail::few_rows) what = "the charts and all contenders but the fastest";
  if (how_much == page_detail::no_table) what = "the charts and the table";
  return fmt::format(R"(<p class="note">To keep this page below 500 KB, {} of this section are left out. )"
                     R"(<code>riffle bench --json</code> has every figure.</p>)"
                     "\n",
                     what);
}

}  // namespace

series_group group_of(const measurement& line) {
  if (line.is_limit()) return series_group::limit;
  return line.role == role::riffle ? series_group::riffle : series_group::published;
}

std::string prefix_of(const measurement& line) {
  return group_of(line) == series_group::published ? line.program + "/" : std::string();
}

std::optional<interval> gb_per_s_interval(const task_report& table, const measurement& line) {
  if (!line.seconds.ci95 || line.seconds.ci95->low <= 0) return std::nullopt;
  const double gigabytes = static_cast<double>(table.bytes) * 1e-9;
  return interval{gigabytes / line.seconds.ci95->high, gigabytes / line.seconds.ci95->low};
}

std::vector<const measurement*> rows_of(const task_report& table, page_detail how_much) {
  constexpr unsigned few = 5;
  std::array<unsigned, 3> rows{};  // of each group
  std::vector<const measurement*> chosen;
  for (const measurement& line : table.lines) {
    const outcome came = line.result.outcome;
    const bool amiss = came == outcome::failed || came == outcome::wrong;
    if (how_much < page_detail::few_rows || amiss ||
        rows.at(static_cast<std::size_t>(group_of(line)))++ < few)
      chosen.push_back(&line);
  }
  return chosen;
}

std::string table_of(const shown_table& shown, page_detail how_much) {
  const task_report& table = *shown.table;
  if (table.lines.empty()) return {};
  std::string out = fmt::format(
      R"(<div class="scroll" role="region" tabindex="0" aria-label="{0} on {1}, {2}: contenders">)"
      "\n"
      R"(<table class="lines-of" data-task="{0}" data-input="{1}" data-cache="{2}" data-bytes="{3}">)"
      R"(<caption>{0} on {1}, {2}: {4}</caption>)"
      R"(<thead><tr><th scope="col">Contender</th><th scope="col" class="text">Program</th>)"
      R"(<th scope="col" class="text">Method</th><th scope="col">Median</th><th scope="col">95&nbsp;% interval</th>)"
      R"(<th scope="col">GB/s</th><th scope="col">Time against<br>the fastest</th><th scope="col">Share of<br>limit</th>)"
      R"(<th scope="col">CPU,<br>user + system</th><th scope="col">Minor<br>faults</th>)"
      R"(<th scope="col">Major<br>faults</th><th scope="col">Switches</th><th scope="col">Runs</th></tr></thead>)"
      "<tbody>\n",
      name_of(table.task), escaped(table.input), name_of(table.cache), table.bytes,
      how_much < page_detail::few_rows ? "every contender" : "the fastest contenders");
  for (const measurement* line : rows_of(table, how_much)) {
    fmt::format_to(std::back_inserter(out), R"(<tr class="{}"><th scope="row">{}</th><td>{}</td><td>{}</td>)",
                   class_of(group_of(*line)), escaped(line->label), escaped(line->program),
                   escaped(line->method));
    if (line->measured()) {
      const auto place = static_cast<std::size_t>(line - table.lines.data());
      out += measured_cells(table, *line, shown.conclusions->standings[place]);
    } else {
      fmt::format_to(std::back_inserter(out), R"(<td class="wide" colspan="10">{}</td>)", why_not(*line));
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string task_section(const page_section& section, page_detail how_much) {
  const task_report& shown = section.largest();
  std::string out = fmt::format(R"(<section><h2 id="{}">{}</h2>)"
                                "\n",
                                section.id, escaped(section.title));
  fmt::format_to(
      std::back_inserter(out),
      R"(<p class="about">Task: {}. Input: {}, {}{}. Cache: {}.{}</p>)"
      "\n",
      description_of(shown.task), shown.files == 1 ? "1 file" : fmt::format("{} files", shown.files),
      section.sweep() ? fmt::format("{} to {}", text::human_size(section.sizes.front().table->bytes),
                                    text::human_size(shown.bytes))
                      : text::human_size(shown.bytes),
      shown.made ? ", generated for this run" : "", description_of(shown.cache),
      shown.faults_per_mib ? fmt::format(" Page faults of a mapping: {:.3g} a MiB.", *shown.faults_per_mib)
                           : std::string());
  out += left_out(how_much);
  if (how_much == page_detail::no_table) return out + "</section>\n";
  const bool charts = how_much == page_detail::full;
  if (section.sweep()) {
    if (charts) out += chart_of_sizes(section);
    out += table_of_sizes(section, how_much);
    fmt::format_to(std::back_inserter(out), "<h3>The largest size, {}</h3>\n", text::human_size(shown.bytes));
  }
  if (charts) out += bars_of(section);
  out += table_of(section.sizes.back(), how_much);
  if (charts) out += charts_of_varied(section);
  return out + "</section>\n";
}

}  // namespace riffle::bench
