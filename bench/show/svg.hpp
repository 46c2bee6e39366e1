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
/// and the style sheet (report_style.hpp) has the rest. All text is escaped here.

/// Whose figure it is; the colour says so, and a heading, an outline or the shape of a marker as well.
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
std::string bar_chart(const chart_text& text, const std::string& unit, const std::vector<bar>& bars);

struct point {
  double x = 0;
  double y = 0;
  std::optional<interval> ci95 = {};  // of y
};

struct series {
  std::string label = {};
  series_group group = series_group::published;
  bool in_background = false;  // a thin line without a name
  std::vector<point> points = {};
};

struct tick {
  double at = 0;
  std::string label = {};
};

/// Lines on log axes, each with its name at its right end, or, where the page is narrow, below the chart.
/// Points that are not above 0 are left out. Empty without any point.
std::string line_chart(const chart_text& text, const std::string& x_title, const std::string& y_title,
                       const std::vector<tick>& x_ticks, const std::vector<series>& lines);

/// The shapes of the markers, once for the whole page.
std::string marker_shapes();

/// Whole powers of two from `low` to `high`, at most `most`, named as on the command line: "4K".
std::vector<tick> size_ticks(double low, double high, std::size_t most);

}  // namespace riffle::bench

#endif
