/// The HTML page is put together from sections; this is the list of them.
#ifndef RIFFLE_BENCH_SHOW_HTML_PARTS_HPP
#define RIFFLE_BENCH_SHOW_HTML_PARTS_HPP

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "bench/data/report.hpp"
#include "bench/judge/conclusions.hpp"
#include "bench/show/svg.hpp"

namespace riffle::bench {

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

/// Charts and tables of a section. `brief`: no charts, and of each group the rows of the fastest.
std::string task_section(const page_section& section, bool brief);
/// The lines that a table shows; those that went wrong are never left out.
std::vector<const measurement*> rows_of(const task_report& table, bool brief);
/// Adds riffle's automatic choice, or else its fastest, the best that is not riffle, and the limit of the
/// first.
void add_overview(const task_report& table, const std::string& heading, std::vector<bar>& bars);
/// The overview of each size, and a table of all contenders by size.
std::string chart_of_sizes(const page_section& section);
std::string table_of_sizes(const page_section& section, bool brief);
/// riffle's contenders by block size and by number of threads, if those were varied.
std::string charts_of_varied(const page_section& section);
/// Published figures beside those of this run.
std::string published_section(const std::vector<page_section>& sections);
std::string machine_section(const report& report);
std::string contenders_section(const report& report);
std::string reading_section();

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
/// 10^9 bytes a second, as its 95 % interval.
std::optional<interval> gb_per_s_interval(const task_report& table, const measurement& line);

}  // namespace riffle::bench

#endif
