/// Judges by the ratio of each round.
#include "bench/judge/published.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "bench/stats/statistics.hpp"

namespace riffle::bench {

namespace {

constexpr double same = 0.05;      // of claims that two are as fast
constexpr double same_here = 0.1;  // within which they are as fast here
constexpr double near = 1.5;       // a factor between published and measured that is no news

// User and system seconds of a run: their mean, as many systems count them in ticks longer than a run.
double mean_processor_seconds(const measurement& line) {
  double sum = 0;
  for (const sample& one : line.result.samples) sum += one.usage.user_seconds + one.usage.system_seconds;
  return sum / std::max(static_cast<double>(line.result.samples.size()), 1.0);
}

// How many times as fast as its base a contender was; 0: not published.
range published_times(const published_table& table, const published_figure& figure) {
  if (figure.times.low > 0 || figure.figure.low <= 0 || !figure.against.empty()) return figure.times;
  const published_figure& base = *std::ranges::find(table.figures, table.base, &published_figure::contender);
  if (base.contender == figure.contender) return {};
  const double over = base.figure.low;
  if (table.unit == speed_unit::seconds) return {over / figure.figure.high, over / figure.figure.low};
  return {figure.figure.low / over, figure.figure.high / over};
}

// Of one thread; nullptr if it was not measured.
const measurement* line_of(const task_report& table, std::string_view id) {
  const auto found = std::ranges::find_if(table.lines, [&](const measurement& line) {
    return line.measured() && line.threads == 1 && line.program + "/" + line.name == id;
  });
  return found == table.lines.end() ? nullptr : &*found;
}

double in_unit(const published_table& published, const task_report& table, const measurement& line) {
  switch (published.unit) {
    case speed_unit::mb_per_s:
      return gb_per_s(table, line) * 1000;
    case speed_unit::gb_per_s:
      return gb_per_s(table, line);
    case speed_unit::seconds:
      return line.seconds.median * published.bytes / static_cast<double>(table.bytes);
    case speed_unit::tenth_of_million_ints: {
      const double used = mean_processor_seconds(line);
      // Lengths are not counted: there are as many as arrays.
      const double ints = static_cast<double>(table.bytes) / 4 -
                          static_cast<double>(line.result.answer ? line.result.answer->count : 0);
      return used > 0 ? ints * 1e-7 / used : 0;
    }
  }
  return 0;
}

}  // namespace

std::string_view in_words(speed_unit unit) noexcept {
  constexpr std::array<std::string_view, 4> words{"MB/s", "GB/s", "seconds", "millions of ints/s"};
  return words[static_cast<std::size_t>(unit)];
}

std::string_view in_words(holding how) noexcept {
  constexpr std::array<std::string_view, 6> words{"yes", "by more",  "by less",
                                                  "no",  "reversed", "too few rounds"};
  return words[static_cast<std::size_t>(how)];
}

holding hold(const range& published, const difference& here) {
  const bool alike = std::abs(here.ratio - 1) <= same_here;
  if (!here.certain && !here.alike()) return holding::open;
  if (published.low >= 1 - same && published.high <= 1 + same) return alike ? holding::yes : holding::no;
  if (!here.certain) return holding::no;
  // Above 1 it says that the contender is faster, below 1 that its base is.
  const bool faster = published.low > 1;
  const double measured = faster ? here.ratio : 1 / here.ratio;
  if (measured < 1) return holding::reversed;
  if (measured > (faster ? published.high : 1 / published.low) * near) return holding::more;
  return measured < (faster ? published.low : 1 / published.high) / near ? holding::less : holding::yes;
}

std::vector<checked_figure> check_figures(const published_table& published, const task_report& table) {
  std::vector<checked_figure> checked;
  for (const published_figure& figure : published.figures) {
    const measurement* fast = line_of(table, figure.contender);
    const measurement* slow = line_of(table, figure.against.empty() ? published.base : figure.against);
    checked_figure& found = checked.emplace_back(
        checked_figure{&figure, fast, fast == nullptr ? 0 : in_unit(published, table, *fast),
                       published_times(published, figure)});
    if (fast == nullptr || slow == nullptr || fast == slow) continue;
    const difference here = compare(fast->result.samples, slow->result.samples);
    found.times_here = here.ratio;
    if (found.times.low > 0) found.how = hold(found.times, here);
  }
  return checked;
}

}  // namespace riffle::bench
