/// Text as markup, and the bar chart: who reads how fast, how sure that is, and how far the limit is.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>

#include "bench/show/page_parts.hpp"
#include "text/shown.hpp"
#include "text/typed.hpp"

namespace riffle::bench {

namespace {

std::string_view escaped_byte(const char& byte) {
  constexpr std::array<std::pair<char, std::string_view>, 7> others{{{'&', "&amp;"},
                                                                     {'<', "&lt;"},
                                                                     {'>', "&gt;"},
                                                                     {'"', "&quot;"},
                                                                     {'\'', "&#39;"},
                                                                     {'\t', " "},
                                                                     {'\n', " "}}};
  for (const auto& [special, shown] : others) {
    if (byte == special) return shown;
  }
  const auto value = static_cast<unsigned char>(byte);
  return value < 0x20 || value == 0x7F ? std::string_view() : std::string_view(&byte, 1);
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

std::string scale_of(double top) {
  std::string out;
  const double step = step_below(top);
  for (int i = 0; step * i <= top * 1.0001; ++i)
    fmt::format_to(std::back_inserter(out),
                   R"(<line class="grid" x1="{0:.2f}%" x2="{0:.2f}%" y1="20" y2="100%"/>)"
                   R"(<text class="tick" x="{0:.2f}%" y="13">{1:g}</text>)",
                   step * i / top * 100, step * i);
  return out;
}

std::string row_of(const chart_bar& each, int row, double top) {
  const auto percent = [top](double value) { return value / top * 100; };
  return fmt::format(
      R"(<g class="row {}" style="--i:{}"><text class="name"><tspan>{}</tspan>{}</text>)"
      R"(<text class="figure" x="100%">{}</text><g class="bar"><rect width="{:.2f}%"/>{}</g></g>)",
      class_of(each.kind), row, escaped(each.prefix), escaped(each.label), text::short_number(each.value),
      percent(each.value),
      each.ci95 ? fmt::format(R"(<rect class="ci" x="{:.2f}%" width="{:.2f}%"/>)", percent(each.ci95->low),
                              percent(each.ci95->high - each.ci95->low))
                : std::string());
}

}  // namespace

std::string_view class_of(row_kind kind) {
  if (kind == row_kind::limit) return "limit";
  return kind == row_kind::ours ? "ours" : "theirs";
}

std::string svg_of(const bar_chart& chart, std::string_view id) {
  double top = 0;
  for (const chart_bar& each : chart.bars) top = std::max({top, each.value, each.ci95 ? each.ci95->high : 0});
  if (!std::isfinite(top) || top <= 0) return {};
  std::string rows;
  std::string caps;
  std::string heading;
  int row = 0;
  for (const chart_bar& each : chart.bars) {
    if (each.heading != heading) {
      heading = each.heading;
      rows += fmt::format(R"(<g class="row heading" style="--i:{}"><text class="name">{}</text></g>)", row++,
                          escaped(heading));
    }
    rows += row_of(each, row++, top);
    if (chart.limits_cross && each.kind == row_kind::limit)
      caps += fmt::format(R"(<line class="cap" x1="{0:.2f}%" x2="{0:.2f}%" y1="20" y2="100%"/>)",
                          each.value / top * 100);
  }
  return fmt::format(
      R"(<svg class="bars" role="img" aria-labelledby="{0}-t {0}-d" style="--rows:{1}">)"
      R"(<title id="{0}-t">{2}</title><desc id="{0}-d">{3}</desc><text class="unit" x="100%" y="13">{4}</text>)"
      "{5}{6}{7}</svg>\n",
      id, row, escaped(chart.title), escaped(chart.description), escaped(chart.unit), scale_of(top), caps,
      rows);
}

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  const std::string valid = text::as_utf8(text);
  for (std::size_t i = 0; i < valid.size(); ++i) {
    // U+0080 to U+009F are controls too.
    if (valid[i] == '\xC2' && valid[i + 1] < '\xA0') {
      ++i;
    } else {
      out += escaped_byte(valid[i]);
    }
  }
  return out;
}

}  // namespace riffle::bench
