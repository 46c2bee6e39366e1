/// The chart of the HTML page, as a function from plain data to SVG.
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
/// and the style sheet (html_style.hpp) has the rest. The text of bars is escaped here.

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

}  // namespace riffle::bench

#endif
