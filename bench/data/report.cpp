/// Order, speed and limits are functions of the results, whatever form shows them.
#include "bench/data/report.hpp"
#include "text/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

namespace riffle::bench {

namespace {

// 0: the limits, 1: measured, 2: not measured.
int group(const measurement& line) {
  if (!line.measured()) return 2;
  return line.is_limit() ? 0 : 1;
}

// Who reads into a buffer copies every byte; who bypasses the cache, or finds it empty, waits for the device.
bool binds(std::string_view limit, const measurement& line, cache_mode cache) {
  if (limit == "scan") return true;
  if (limit == "copy") return line.method != "mmap" && line.method != "automatic" && line.method != "direct";
  return limit == "device" && (!is_cached(cache) || line.method == "direct");
}

void bind_limits(std::vector<measurement>& lines, cache_mode cache) {
  for (measurement& line : lines) {
    if (line.is_limit()) continue;
    for (const measurement& limit : lines) {
      if (!limit.is_limit() || !limit.measured()) continue;
      // A device is as fast whatever the number of threads; it is measured with one.
      if (limit.threads != line.threads && limit.name != "device") continue;
      if (!binds(limit.name, line, cache)) continue;
      if (line.limit && line.limit->seconds >= limit.seconds.median) continue;
      line.limit = binding_limit{limit.name, limit.seconds.median};
    }
  }
}

}  // namespace

std::string measurement::label() const {
  std::string text = name;
  if (block_size != 0 && program == "riffle") text += " " + text::short_size(block_size);
  if (threads != 1) text += fmt::format(" x{}", threads);
  return text;
}

std::optional<double> measurement::of_limit() const {
  if (!limit || seconds.median <= 0) return std::nullopt;
  return limit->seconds / seconds.median;
}

std::vector<measurement> in_order(const std::vector<contender>& contenders, std::vector<result> results,
                                  cache_mode cache) {
  std::vector<measurement> lines;
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    const contender& from = contenders[i];
    measurement line{.name = from.name,
                     .program = from.program,
                     .method = from.method,
                     .description = from.description,
                     .block_size = from.block_size,
                     .threads = from.threads,
                     .result = std::move(results[i])};
    line.seconds = summarise(seconds_of(line.result.samples));
    line.usage = median_usage(line.result.samples);
    lines.push_back(std::move(line));
  }
  bind_limits(lines, cache);
  std::ranges::stable_sort(lines, {}, [](const measurement& line) {
    return std::tuple(group(line), line.seconds.median, std::string_view(line.name));
  });
  return lines;
}

double gb_per_s(const task_report& of, const measurement& line) {
  return line.seconds.median > 0 ? static_cast<double>(of.bytes) * 1e-9 / line.seconds.median : 0;
}

const measurement* best_of(const task_report& of) {
  const auto found = std::ranges::find_if(of.lines, [](const measurement& line) { return group(line) == 1; });
  return found == of.lines.end() ? nullptr : &*found;
}

const measurement* automatic_of(const task_report& of) {
  const auto found = std::ranges::find_if(of.lines, [](const measurement& line) {
    return group(line) == 1 && line.program == "riffle" && line.method == "automatic" &&
           line.block_size == 0 && line.threads == 1;
  });
  return found == of.lines.end() ? nullptr : &*found;
}

}  // namespace riffle::bench
