/// The two kinds of chart of the HTML page, as functions from plain data to SVG.
#ifndef RIFFLE_BENCH_SHOW_SVG_HPP
#define RIFFLE_BENCH_SHOW_SVG_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/stats/statistics.hpp"

namespace riffle::bench {

/// The charts are as wide as the page and their text is of its size: positions along the x axis are per cent,
/// and the style sheet (html_style.hpp) has the rest. The text of bars and series is escaped here.

/// Whose figure it is; the colour says so, and a heading or an outline as well.
enum class series_group : std::uint8_t { limit, riffle, published };
/// The class in the style sheet.
std::string_view class_of(series_group group);

struct chart_text {
  std::string id = {};  // unique in the page: letters, digits and -
  std::string title = {};
  std::string description = {};  // what the chart shows, in words
};

/// The start of a chart's element, with its description for those who do not see it.
std::string svg_start(std::string_view kind, const std::string& attributes, const chart_text& text);

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

struct point {
  double x = 0;
  double y = 0;
  std::optional<interval> ci95 = {};  // of y
};

struct series {
  std::string label = {};
  series_group group = series_group::published;
  bool in_background = false;  // a thin line whose name shows only if it is pointed at
  std::vector<point> points = {};
};

/// Lines on log axes, each with its name at its right end. `x_label` names a place on the x axis. Points that
/// are not above 0 are left out. Empty without any point.
std::string line_chart(const chart_text& text, std::string_view x_title, std::string_view y_title,
                       std::string (*x_label)(double), const std::vector<series>& lines);

}  // namespace riffle::bench

#endif
