/// The bar chart: who reads how fast, how sure that is, and how far the limit is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include "bench/show/in_words.hpp"
#include "bench/show/markup.hpp"
#include "bench/show/svg.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

std::string heading_of(const bar& each) {
  if (!each.heading.empty()) return each.heading;
  if (each.group == series_group::limit) return "The limits";
  return each.group == series_group::riffle ? "riffle" : "Published programs";
}

// 1, 2 or 5 times a power of ten, so that at most five steps lie below `top`.
double step_below(double top) {
  const double least = top / 5;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least) return factor * power;
  }
  return 10 * power;
}

double largest(const std::vector<bar>& bars) {
  double top = 0;
  for (const bar& each : bars) top = std::max({top, each.value, each.ci95 ? each.ci95->high : 0});
  return top;
}

void add_scale(std::string& out, double top) {
  const double step = step_below(top);
  for (int i = 0; step * i <= top * 1.0001; ++i) {
    const double at = step * i / top * 100;
    fmt::format_to(std::back_inserter(out),
                   R"(<line class="grid" x1="{0:.2f}%" x2="{0:.2f}%" y1="20" y2="100%"/>)"
                   R"(<text class="tick" x="{0:.2f}%" y="13">{1:g}</text>)",
                   at, step * i);
  }
}

void add_bar(std::string& out, const bar& each, int row, double top) {
  auto to = std::back_inserter(out);
  fmt::format_to(to, R"(<g class="row {}" style="--i:{}"><text class="name">)", class_of(each.group), row);
  if (!each.prefix.empty()) fmt::format_to(to, "<tspan>{}</tspan>", escaped(each.prefix));
  fmt::format_to(to,
                 R"({}</text><text class="figure" x="100%">{}</text><g class="bar"><rect width="{:.2f}%"/>)",
                 escaped(each.label), text::short_number(each.value), each.value / top * 100);
  if (each.ci95) {
    fmt::format_to(to, R"(<rect class="ci" x="{:.2f}%" width="{:.2f}%"/>)", each.ci95->low / top * 100,
                   (each.ci95->high - each.ci95->low) / top * 100);
  }
  out += "</g></g>";
}

}  // namespace

std::string_view class_of(series_group group) {
  if (group == series_group::limit) return "limit";
  return group == series_group::riffle ? "ours" : "theirs";
}

std::string bar_chart(const chart_text& text, const std::string& unit, const std::vector<bar>& bars) {
  const double top = largest(bars);
  if (!std::isfinite(top) || top <= 0) return {};
  std::string rows;
  std::string lines;
  int row = 0;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const bar& each = bars[i];
    if (i == 0 || heading_of(bars[i - 1]) != heading_of(each)) {
      fmt::format_to(std::back_inserter(rows),
                     R"(<g class="row heading" style="--i:{}"><text class="name">{}</text></g>)", row++,
                     escaped(heading_of(each)));
    }
    add_bar(rows, each, row++, top);
    if (each.heading.empty() && each.group == series_group::limit) {
      fmt::format_to(std::back_inserter(lines),
                     R"(<line class="cap" x1="{0:.2f}%" x2="{0:.2f}%" y1="20" y2="100%"/>)",
                     each.value / top * 100);
    }
  }
  std::string out =
      fmt::format(R"(<svg class="bars" role="img" aria-labelledby="{0}-t {0}-d" style="--rows:{1}">)"
                  R"(<title id="{0}-t">{2}</title><desc id="{0}-d">{3}</desc>)"
                  R"(<text class="unit" x="100%" y="13">{4}</text>)",
                  escaped(text.id), row, escaped(text.title), escaped(text.description), escaped(unit));
  add_scale(out, top);
  return out + lines + rows + "</svg>\n";
}

}  // namespace riffle::bench
