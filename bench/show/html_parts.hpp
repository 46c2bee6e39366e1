/// The HTML page is put together from sections; this is the list of them.
#ifndef RIFFLE_BENCH_SHOW_HTML_PARTS_HPP
#define RIFFLE_BENCH_SHOW_HTML_PARTS_HPP

#include <cstdint>
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

/// All tasks of the report, in its order.
std::vector<page_section> sections_of(const report& report, const conclusions& conclusions);

// Each returns markup, or nothing if there is nothing to show.

/// The picture that the page opens with: one chart over all tasks.
std::string overview(const std::vector<page_section>& sections);
/// The picture, and what is fastest for each section, with the C++ line for it.
std::string verdicts(const std::vector<page_section>& sections);
/// What may be wrong with the figures, and what to do about it.
std::string warning_list(const std::vector<warning>& warnings);
/// How much of a section the page has room for; each shows less than the one before.
enum class page_detail : std::uint8_t { full, no_charts, few_rows, no_table };
/// Charts and table, and what of them was left out.
std::string task_section(const page_section& section, page_detail how_much);
/// The lines that a table shows: all of them, or the fastest of each group and whatever went wrong.
std::vector<const measurement*> rows_of(const task_report& table, page_detail how_much);
/// Every figure of one table.
std::string table_of(const shown_table& shown, page_detail how_much);
/// The speeds of all sizes side by side.
std::string table_of_sizes(const page_section& section, page_detail how_much);
/// riffle's contenders by block size and by number of threads, if those were varied.
std::string charts_of_varied(const page_section& section);
/// Speed by size.
std::string chart_of_sizes(const page_section& section);
/// Published figures beside those of this run.
std::string published_section(const std::vector<page_section>& sections);
std::string limits_section(const report& report);
std::string machine_section(const report& report);
std::string contenders_section(const report& report);
std::string reading_section();

/// What the charts and tables call a line's group.
series_group group_of(const measurement& line);
/// "ioaccess/" for published programs; riffle and the limits have a heading or a colour of their own.
std::string prefix_of(const measurement& line);
/// 10^9 bytes a second, as its 95 % interval.
std::optional<interval> gb_per_s_interval(const task_report& table, const measurement& line);

}  // namespace riffle::bench

#endif
