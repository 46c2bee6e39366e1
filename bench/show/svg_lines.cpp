/// The line chart: how speed changes with the size, the block or the threads.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <ranges>
#include <set>
#include <string_view>

#include "bench/show/markup.hpp"
#include "bench/show/svg.hpp"

namespace riffle::bench {

namespace {

constexpr double name_height = 16;  // of a name at the right end of its line, in pixels
constexpr double least_height = 360;
constexpr std::size_t most_ticks = 5;  // that a phone has room for

// A log axis from `low` to `high`.
struct log_axis {
  double low = 0;
  double high = 0;
  void include(double value) {
    low = low > 0 ? std::min(low, value) : value;
    high = std::max(high, value);
  }
  // 0 to 1; the middle if all values are the same.
  [[nodiscard]] double at(double value) const {
    if (high <= low) return 0.5;
    return std::clamp(std::log(value / low) / std::log(high / low), 0.0, 1.0);
  }
};

struct axes {
  log_axis x;
  log_axis y;
  std::set<double> xs;
  double height = least_height;
  [[nodiscard]] double percent(double value) const { return x.at(value) * 100; }
  [[nodiscard]] double pixels(double value) const { return (1 - y.at(value)) * height; }
};

bool shown(const point& each) {
  return std::isfinite(each.x) && std::isfinite(each.y) && each.x > 0 && each.y > 0;
}

// Round numbers within the axis: the wider it is, the fewer of each decade.
std::vector<double> speed_ticks(const log_axis& axis) {
  const double range = axis.high / axis.low;
  std::vector<double> factors{1, 2, 3, 4, 5, 6, 8};
  if (range > 8) factors = {1, 2, 5};
  if (range > 100) factors = {1};
  std::vector<double> ticks;
  for (double power = std::pow(10, std::floor(std::log10(axis.low))); power <= axis.high; power *= 10) {
    for (const double factor : factors) {
      const double value = power * factor;
      if (value >= axis.low * 0.999 && value <= axis.high * 1.001) ticks.push_back(value);
    }
  }
  return ticks;
}

// A tenth of a decade of room above and below, so that no marker lies on the frame.
axes axes_for(const std::vector<series>& lines) {
  axes all;
  for (const series& line : lines) {
    for (const point& each : line.points) {
      if (!shown(each)) continue;
      all.x.include(each.x);
      all.y.include(each.y);
      all.xs.insert(each.x);
    }
  }
  all.y.low /= 1.25;
  all.y.high *= 1.25;
  const auto names = std::ranges::count(lines, false, &series::in_background);
  all.height = std::max(least_height, name_height * static_cast<double>(names));
  return all;
}

std::string_view class_of(const series& line) {
  return line.in_background ? "background" : bench::class_of(line.group);
}

void add_grid(std::string& out, const axes& in, std::string (*x_label)(double)) {
  auto to = std::back_inserter(out);
  for (const double value : speed_ticks(in.y)) {
    fmt::format_to(to,
                   R"(<line class="grid" x1="0" x2="100%" y1="{0:.1f}" y2="{0:.1f}"/>)"
                   R"(<text class="tick y" x="-8" y="{1:.1f}">{2:g}</text>)",
                   in.pixels(value), in.pixels(value) + 4, value);
  }
  const std::size_t step = 1 + (in.xs.size() - 1) / most_ticks;
  std::size_t place = in.xs.size() - 1;  // the last one has a tick
  for (const double x : in.xs) {
    if (place-- % step != 0) continue;
    fmt::format_to(to,
                   R"(<line class="grid" x1="{0:.2f}%" x2="{0:.2f}%" y1="0" y2="{1:.0f}"/>)"
                   R"(<text class="tick" x="{0:.2f}%" y="{2:.0f}">{3}</text>)",
                   in.percent(x), in.height, in.height + 20, x_label(x));
  }
}

// A line is stretched to the width in a drawing of its own; what has a form of its own is not.
void add_line(std::string& out, const axes& in, const series& line) {
  auto to = std::back_inserter(out);
  fmt::format_to(to, R"(<g class="{}"><title>{}</title>)", class_of(line), escaped(line.label));
  fmt::format_to(
      to, R"(<svg viewBox="0 0 1000 {0:.0f}" height="{0:.0f}" preserveAspectRatio="none"><polyline points=")",
      in.height);
  std::string markers;
  std::string_view separator;
  for (const point& each : line.points) {
    if (!shown(each)) continue;
    fmt::format_to(to, "{}{:.1f},{:.1f}", separator, in.percent(each.x) * 10, in.pixels(each.y));
    separator = " ";
    if (line.in_background) continue;
    auto mark = std::back_inserter(markers);
    if (each.ci95 && each.ci95->low > 0) {
      fmt::format_to(mark, R"(<line x1="{0:.2f}%" x2="{0:.2f}%" y1="{1:.1f}" y2="{2:.1f}"/>)",
                     in.percent(each.x), in.pixels(each.ci95->low), in.pixels(each.ci95->high));
    }
    fmt::format_to(mark, R"(<circle cx="{:.2f}%" cy="{:.1f}" r="4"/>)", in.percent(each.x),
                   in.pixels(each.y));
  }
  fmt::format_to(to, R"("/></svg>{}</g>)", markers);
}

struct name_of_line {
  const series* line;
  double x;       // where the line ends, in per cent
  double wanted;  // and at which height
  double at;
};

// Pushes names that would overlap apart, downwards and then back up from the lower edge.
void spread(std::vector<name_of_line>& names, double height) {
  std::ranges::stable_sort(names, {}, &name_of_line::wanted);
  double next = 0;
  for (name_of_line& name : names) {
    name.at = std::max(name.wanted, next);
    next = name.at + name_height;
  }
  double last = height;
  for (name_of_line& name : std::views::reverse(names)) {
    name.at = std::min(name.at, last);
    last = name.at - name_height;
  }
}

void add_names(std::string& out, const axes& in, const std::vector<series>& lines) {
  std::vector<name_of_line> names;
  for (const series& line : lines) {
    if (line.in_background) continue;
    const auto end = std::find_if(line.points.rbegin(), line.points.rend(), shown);
    if (end == line.points.rend()) continue;
    names.push_back({&line, in.percent(end->x), in.pixels(end->y), 0});
  }
  spread(names, in.height);
  for (const name_of_line& name : names) {
    auto to = std::back_inserter(out);
    fmt::format_to(to, R"(<g class="end {}">)", class_of(*name.line));
    if (name.x < 99.9) {
      fmt::format_to(to, R"(<line x1="{:.2f}%" x2="100%" y1="{:.1f}" y2="{:.1f}"/>)", name.x, name.wanted,
                     name.wanted);
    }
    fmt::format_to(
        to, R"(<svg x="100%"><path d="M8 {:.1f}L20 {:.1f}"/><text x="24" y="{:.1f}">{}</text></svg></g>)",
        name.wanted, name.at, name.at + 4, escaped(name.line->label));
  }
}

}  // namespace

std::string line_chart(const chart_text& text, std::string_view x_title, std::string_view y_title,
                       std::string (*x_label)(double), const std::vector<series>& lines) {
  const axes in = axes_for(lines);
  if (in.x.low <= 0) return {};
  std::string out = svg_start("lines", fmt::format(R"(height="{:.0f}")", in.height + 44), text);
  fmt::format_to(
      std::back_inserter(out),
      R"(<text class="unit" x="-40" y="-14">{}</text><text class="unit x" x="50%" y="{:.0f}">{}</text>)",
      y_title, in.height + 40, x_title);
  add_grid(out, in, x_label);
  for (const bool background : {true, false}) {
    for (const series& line : lines) {
      if (line.in_background == background) add_line(out, in, line);
    }
  }
  add_names(out, in, lines);
  return out + "</svg>\n";
}

}  // namespace riffle::bench
