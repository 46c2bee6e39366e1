/// The HTML page is put together from sections, charts and tables; this is the list of them. Names of files
/// and messages of the system come from outside: in a page they are text, never markup.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/data/report.hpp"
#include "bench/judge/conclusions.hpp"
#include "bench/stats/statistics.hpp"

namespace riffle::bench {

/// `text` for use in HTML and SVG, in elements as well as in quoted attributes: `& < > " '` become entities,
/// tabs and newlines spaces, and bytes that are not UTF-8 U+FFFD. Other control characters vanish.
std::string escaped(std::string_view text);

/// The charts are as wide as the page and their text is of its size: positions along the x axis are per cent,
/// and the style sheet (html_style.cpp) has the rest. The text of bars is escaped here.

/// Whose figure it is; the colour says so, and a heading or an outline as well.
enum class series_group : std::uint8_t { limit, riffle, published };
/// The class in the style sheet.
std::string_view class_of(series_group group);

struct chart_text {
  std::string id = {};  // unique in the page: letters, digits and -
  std::string title = {};
  std::string description = {};  // what the chart shows, in words
};

struct bar {
  std::string prefix = {};  // of the label, less prominent: "ioaccess/"
  std::string label = {};
  series_group group = series_group::published;
  double value = 0;
  std::optional<interval> ci95 = {};
  std::string heading = {};  // over the first of those that share it; empty: the group's
};

/// Bars from zero, under a heading for each group, with their intervals; the limits are lines through all of
/// them too, if the groups are the headings. `bars` are in the order of their headings.
std::string bar_chart(const chart_text& text, std::string_view unit, const std::vector<bar>& bars);

/// A table of the report, and what it shows. Points into both.
struct shown_table {
  const task_report* table;
  const table_conclusions* conclusions;
};

/// One task on one input in one state of the cache: a single table, or one for each size, smallest first.
struct page_section {
  std::string id = {};     // "task-1"
  std::string title = {};  // "gc on genome, hot"; not escaped
  std::vector<shown_table> sizes = {};

  [[nodiscard]] bool sweep() const { return sizes.size() > 1; }
  /// Stands for all sizes if there is room for one.
  [[nodiscard]] const task_report& largest() const { return *sizes.back().table; }
  /// What the largest shows.
  [[nodiscard]] const table_conclusions& conclusions() const { return *sizes.back().conclusions; }
};

// Each of these returns markup, or nothing if there is nothing to show.

/// Charts and tables of a section.
std::string task_section(const page_section& section);
/// Adds riffle's automatic choice, or else its fastest, the best that is not riffle, and the limit of the
/// first.
void add_overview(const task_report& table, const std::string& heading, std::vector<bar>& bars);

/// The style sheet of the page, without the <style> element: two colour schemes, from 320 pixels up, print.
std::string_view report_style() noexcept;
/// A section with a heading to link to.
std::string section_of(std::string_view id, std::string_view title, const std::string& content);
/// A chart and what is to know of it, which is markup.
std::string figure(const std::string& chart, std::string_view caption);
/// A table that scrolls if the page is narrow. `attributes` begin with a space. The caption and the headings
/// are markup; the columns of headings that begin with `|` are text.
std::string table_of(std::string_view attributes, const std::string& caption,
                     const std::vector<std::string>& headings, const std::string& rows);
/// The start of a line's row, with its name as heading.
std::string row_start(const measurement& line, std::string_view name);
/// Cells of a row, which are markup.
std::string cells_of(std::initializer_list<std::string> texts);

/// What the charts and tables call a line's group.
series_group group_of(const measurement& line);
/// "ioaccess/" for published programs; riffle and the limits have a heading or a colour of their own.
std::string prefix_of(const measurement& line);
/// The line as a bar.
bar bar_of(const task_report& table, const measurement& line);

}  // namespace riffle::bench
