/// The line chart: how speed changes with the size, the block or the threads.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <ranges>
#include <string_view>

#include "bench/data/report.hpp"
#include "bench/show/markup.hpp"
#include "bench/show/svg.hpp"
#include "text/numbers.hpp"

namespace riffle::bench {

namespace {

constexpr double name_height = 16;  // of a name at the right end of its line, in pixels
constexpr double least_height = 360;

// Around (0, 0), 9 pixels wide: circle, square, triangle, diamond, triangle on its tip, plus, cross, hexagon.
constexpr std::array<std::string_view, 8> shapes{
    "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0z",
    "M-4-4h8v8h-8z",
    "M0-5L5 4H-5z",
    "M0-5.5L5.5 0 0 5.5-5.5 0z",
    "M0 5L5-4H-5z",
    "M-1.6-5h3.2v3.4H5v3.2H1.6V5h-3.2V1.6H-5v-3.2h3.4z",
    "M-5-2.8L-2.8-5 0-2.2 2.8-5 5-2.8 2.2 0 5 2.8 2.8 5 0 2.2-2.8 5-5 2.8-2.2 0z",
    "M-5 0L-2.5-4.4h5L5 0 2.5 4.4h-5z"};

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
  if (range > 100) factors = {1, 3};
  if (range > 3000) factors = {1};
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

void add_grid(std::string& out, const axes& in, const std::vector<tick>& x_ticks) {
  auto to = std::back_inserter(out);
  for (const double value : speed_ticks(in.y)) {
    fmt::format_to(to,
                   R"(<line class="grid" x1="0" x2="100%" y1="{0:.1f}" y2="{0:.1f}"/>)"
                   R"(<text class="tick y" x="-8" y="{1:.1f}">{2:g}</text>)",
                   in.pixels(value), in.pixels(value) + 4, value);
  }
  for (const tick& each : x_ticks) {
    fmt::format_to(to,
                   R"(<line class="grid" x1="{0:.2f}%" x2="{0:.2f}%" y1="0" y2="{1:.0f}"/>)"
                   R"(<text class="tick" x="{0:.2f}%" y="{2:.0f}">{3}</text>)",
                   in.percent(each.at), in.height, in.height + 20, escaped(each.label));
  }
}

// The line itself is stretched from a square of 1000 to the width of the page, without its stroke.
void add_line(std::string& out, const axes& in, const series& line, std::size_t shape) {
  auto to = std::back_inserter(out);
  fmt::format_to(to, R"(<g class="{}">)", class_of(line));
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
    if (each.ci95 && each.ci95->low > 0 && in.pixels(each.ci95->low) - in.pixels(each.ci95->high) > 3) {
      fmt::format_to(mark, R"(<line x1="{0:.2f}%" x2="{0:.2f}%" y1="{1:.1f}" y2="{2:.1f}"/>)",
                     in.percent(each.x), in.pixels(each.ci95->low), in.pixels(each.ci95->high));
    }
    fmt::format_to(mark, R"(<use href="#mark{}" x="{:.2f}%" y="{:.1f}"/>)", shape, in.percent(each.x),
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

// The names at the lines' ends as a legend, for narrow pages.
std::string legend(const std::vector<series>& lines) {
  std::string out = R"(<ul class="legend" aria-hidden="true">)";
  std::size_t shape = 0;
  for (const series& line : lines) {
    if (line.in_background) continue;
    fmt::format_to(std::back_inserter(out),
                   R"(<li class="{}"><svg viewBox="-8 -8 16 16"><use href="#mark{}"/></svg>{}</li>)",
                   class_of(line), shape++ % shapes.size(), escaped(line.label));
  }
  return out + "</ul>\n";
}

}  // namespace

std::string line_chart(const chart_text& text, const std::string& x_title, const std::string& y_title,
                       const std::vector<tick>& x_ticks, const std::vector<series>& lines) {
  const axes in = axes_for(lines);
  if (in.x.low <= 0) return {};
  std::string out = fmt::format(
      R"(<svg class="lines" role="img" aria-labelledby="{0}-t {0}-d" height="{1:.0f}">)"
      R"(<title id="{0}-t">{2}</title><desc id="{0}-d">{3}</desc>)"
      R"(<text class="unit" x="-40" y="-14">{4}</text><text class="unit x" x="50%" y="{5:.0f}">{6}</text>)",
      escaped(text.id), in.height + 44, escaped(text.title), escaped(text.description), escaped(y_title),
      in.height + 40, escaped(x_title));
  add_grid(out, in, x_ticks);
  for (const series& line : lines) {
    if (line.in_background) add_line(out, in, line, 0);
  }
  std::size_t shape = 0;
  for (const series& line : lines) {
    if (!line.in_background) add_line(out, in, line, shape++ % shapes.size());
  }
  add_names(out, in, lines);
  return out + "</svg>\n" + legend(lines);
}

std::string marker_shapes() {
  std::string out = R"(<svg class="shapes" width="0" height="0" aria-hidden="true"><defs>)";
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    fmt::format_to(std::back_inserter(out), R"(<path id="mark{}" d="{}"/>)", i, shapes.at(i));
  }
  return out + "</defs></svg>\n";
}

std::vector<tick> size_ticks(double low, double high, std::size_t most) {
  std::vector<tick> ticks;
  if (low <= 0 || high < low) return ticks;
  // A generated input is a little smaller than its nominal size.
  const int first = static_cast<int>(std::floor(std::log2(low)));
  const int last = static_cast<int>(std::ceil(std::log2(high) - 0.001));
  const int least = 1 + (last - first) / static_cast<int>(most);
  int step = least;  // or the next one that leads from end to end
  while (step < 2 * least && (last - first) % step != 0) ++step;
  if ((last - first) % step != 0) step = least;
  for (int power = first; power <= last && power < 63; ++power) {
    if ((last - power) % step != 0) continue;
    const double at = std::exp2(power);
    if (at < low * 0.95 || at > high * 1.05) continue;
    ticks.push_back({at, text::short_size(std::uint64_t{1} << static_cast<unsigned>(power))});
  }
  return ticks;
}

}  // namespace riffle::bench
