/// Sums the samples up, and finds the slowest of the limits that a contender cannot avoid.
#include "bench/measure/rounds.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "bench/stats/statistics.hpp"
#include "text/typed.hpp"

namespace riffle::bench {

namespace {

// 0: the limits, 1: measured, 2: not measured.
int group(const measurement& line) {
  if (!line.measured()) return 2;
  return line.is_limit() ? 0 : 1;
}

// `automatic` copies nothing if it maps, which is unknown before.
bool binds(limit_kind limit, std::string_view method, cache_mode cache) {
  const method_info* const used = method_of(method);
  switch (limit) {
    case limit_kind::scan:
    case limit_kind::decode:
      return true;
    case limit_kind::copy:
      return used != nullptr ? !used->maps && !used->past_cache : method != "automatic";
    case limit_kind::device:
      return (used != nullptr && used->past_cache) || !is_cached(cache);
  }
  return false;
}

void bind_limits(std::vector<measurement>& lines, cache_mode cache) {
  for (measurement& line : lines) {
    if (line.is_limit()) continue;
    for (const measurement& limit : lines) {
      if (!limit.sets || !limit.measured()) continue;
      // A device is as fast whatever the number of threads; it is measured with one.
      if (limit.threads != line.threads && limit.sets != limit_kind::device) continue;
      if (!binds(*limit.sets, line.method, cache)) continue;
      if (line.limit && line.limit->seconds >= limit.seconds.median) continue;
      line.limit = binding_limit{*limit.sets, limit.seconds.median};
    }
  }
}

measurement measurement_of(const contender& from, result&& raced) {
  measurement line{.name = from.name,
                   .program = from.program,
                   .role = from.role,
                   .method = from.method,
                   .label = label_of(from.name, from.role, from.block_size, from.threads),
                   .description = from.description,
                   .sets = from.sets,
                   .block_size = from.block_size,
                   .queue_depth = from.queue_depth,
                   .threads = from.threads,
                   .wanted = from.wanted,
                   .result = std::move(raced)};
  line.seconds = summarise(seconds_of(line.result.samples));
  line.usage = median_usage(line.result.samples);
  return line;
}

}  // namespace

std::string label_of(std::string_view name, role part, std::size_t block_size, unsigned threads) {
  std::string label(name);
  if (block_size != 0 && part == role::riffle) label += " " + text::short_size(block_size);
  if (threads != 1) label += fmt::format(" x{}", threads);
  return label;
}

std::vector<measurement> in_order(const std::vector<contender>& contenders, std::vector<result> results,
                                  cache_mode cache) {
  std::vector<measurement> lines;
  lines.reserve(contenders.size());
  for (std::size_t i = 0; i < contenders.size(); ++i) {
    lines.push_back(measurement_of(contenders[i], std::move(results[i])));
  }
  bind_limits(lines, cache);
  std::ranges::stable_sort(lines, {}, [](const measurement& line) {
    return std::tuple(group(line), line.seconds.median, std::string_view(line.name));
  });
  return lines;
}

limits limits_of(const std::vector<task_report>& tables) {
  limits best;
  const auto at_least = [](std::optional<double>& limit, double speed) {
    limit = std::max(limit.value_or(0), speed);
  };
  for (const task_report& table : tables) {
    for (const measurement& line : table.lines) {
      if (!line.sets || !line.measured() || line.threads != 1 || line.seconds.median <= 0) continue;
      const double speed = static_cast<double>(table.bytes) / line.seconds.median;
      if (line.sets == limit_kind::scan) at_least(best.ram_scan, speed);
      if (line.sets == limit_kind::copy) at_least(best.ram_copy, speed);
      if (line.sets == limit_kind::device) at_least(best.device, speed);
    }
  }
  return best;
}

}  // namespace riffle::bench
