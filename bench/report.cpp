/// Why this file exists: order, speed and verdict are functions of the results, whatever form shows them.
#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>

namespace riffle::bench {

namespace {

// 0: the limit, 1: measured, 2: not measured.
int group(const line_of_report& line) {
  if (line.result.outcome != outcome::measured) return 2;
  return line.program == "limit" ? 0 : 1;
}

const line_of_report* automatic_of(const task_report& report) {
  // riffle may have two forms of a task; the faster one, which comes first, is the one it recommends.
  const auto found = std::find_if(report.lines.begin(), report.lines.end(), [](const line_of_report& line) {
    return group(line) == 1 && line.program == "riffle" && line.name.starts_with("automatic");
  });
  return found == report.lines.end() ? nullptr : &*found;
}

const line_of_report* first_of_others(const task_report& report) {
  const auto found = std::find_if(report.lines.begin(), report.lines.end(), [](const line_of_report& line) {
    return group(line) == 1 && line.program != "riffle";
  });
  return found == report.lines.end() ? nullptr : &*found;
}

// Two medians differ only if they are further apart than both lines vary.
bool within_noise(const line_of_report& a, const line_of_report& b) {
  return std::abs(a.seconds.median - b.seconds.median) <= a.seconds.mad + b.seconds.mad;
}

std::string compared(const line_of_report& automatic, const line_of_report& other) {
  if (within_noise(automatic, other))
    return fmt::format("does not differ from {} by more than the noise", other.name);
  const double ratio = other.seconds.median / automatic.seconds.median;
  return ratio > 1 ? fmt::format("is {:.2f}x faster than {}", ratio, other.name)
                   : fmt::format("is {:.2f}x slower than {}", 1 / ratio, other.name);
}

}  // namespace

std::vector<line_of_report> in_order(const std::vector<contender>& contenders, std::vector<result> results) {
  std::vector<line_of_report> lines;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    const contender& from = contenders[i];
    const summary seconds = summarise(results[i].seconds);
    lines.push_back({from.name, from.program, from.method, from.description, std::move(results[i]), seconds});
  }
  std::ranges::sort(lines, {}, [](const line_of_report& line) {
    return std::tuple(group(line), line.seconds.median, std::string_view(line.name));
  });
  return lines;
}

double gb_per_s(const task_report& report, const line_of_report& line) {
  return line.seconds.median > 0 ? static_cast<double>(report.bytes) * 1e-9 / line.seconds.median : 0;
}

const line_of_report* limit_of(const task_report& report) {
  return !report.lines.empty() && group(report.lines.front()) == 0 ? &report.lines.front() : nullptr;
}

const line_of_report* best_of(const task_report& report) {
  const auto found = std::find_if(report.lines.begin(), report.lines.end(),
                                  [](const line_of_report& line) { return group(line) == 1; });
  return found == report.lines.end() ? nullptr : &*found;
}

std::string verdict(const task_report& report) {
  const line_of_report* const best = best_of(report);
  if (best == nullptr) return "Nothing was measured.";
  std::string text =
      fmt::format("Fastest: {} of {}, at {:.2f} GB/s", best->name, best->program, gb_per_s(report, *best));
  if (const line_of_report* const limit = limit_of(report); limit != nullptr && best->seconds.median > 0) {
    text += fmt::format(", {:.0f} % of the limit", 100 * limit->seconds.median / best->seconds.median);
  }
  text += ".";
  const line_of_report* const automatic = automatic_of(report);
  if (automatic == nullptr) return text;
  text += "\nriffle automatic ";
  const line_of_report* const other = first_of_others(report);
  if (automatic == best && other == nullptr) return text + "is that one.";
  if (automatic != best) text += compared(*automatic, *best);
  if (automatic == best) text += "is that one";
  if (other != nullptr && other != best) {
    text += fmt::format("; it {}, the best that is not riffle", compared(*automatic, *other));
  }
  return text + ".";
}

}  // namespace riffle::bench
