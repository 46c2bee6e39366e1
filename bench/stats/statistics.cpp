/// Medians and their intervals, by sorting and by the binomial distribution.
#include "bench/stats/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace riffle::bench {

namespace {

constexpr double smallest_difference = 0.02;
constexpr double plain_difference = 1.5;
constexpr std::array figures{&usage::user_seconds,   &usage::system_seconds, &usage::minor_faults,
                             &usage::major_faults,   &usage::bytes_read,     &usage::peak_memory,
                             &usage::delayed_seconds};

// The chance of at most `most` heads in `tosses` of a fair coin.
double at_most(std::size_t most, std::size_t tosses) {
  double chance = std::exp2(-static_cast<double>(tosses));  // of no heads; 0 beyond 1074 tosses
  double sum = chance;
  for (std::size_t heads = 1; heads <= most; ++heads) {
    chance *= static_cast<double>(tosses - heads + 1) / static_cast<double>(heads);
    sum += chance;
  }
  return sum;
}

// How many of the sorted values can be left out at each end. Each value falls below the median with chance
// 1/2, so the interval without `k` at each end misses it with twice the chance of at most k - 1 heads.
std::optional<std::size_t> left_out(std::size_t count, double confidence) {
  const double miss = 1 - confidence;
  if (count > 1000) {  // the normal approximation, as the exact form would underflow
    const double deviations = confidence > 0.98 ? 2.5758 : 1.96;
    const double n = static_cast<double>(count);
    return static_cast<std::size_t>((n - deviations * std::sqrt(n)) / 2);
  }
  if (count == 0 || 2 * at_most(0, count) > miss) return std::nullopt;
  std::size_t out = 0;
  while (2 * at_most(out + 1, count) <= miss) ++out;
  return out;
}

// The interval of the median; the whole range if there are few values.
interval extent_of(const std::vector<double>& values) {
  const auto [least, greatest] = std::ranges::minmax(values);
  return median_interval(values, 0.99).value_or(interval{least, greatest});
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double median_deviation(std::vector<double> values) {
  const double centre = median(values);
  for (double& value : values) value = std::abs(value - centre);
  return median(std::move(values));
}

std::optional<interval> median_interval(std::vector<double> values, double confidence) {
  const std::optional<std::size_t> out = left_out(values.size(), confidence);
  if (!out) return std::nullopt;
  std::ranges::sort(values);
  return interval{values[*out], values[values.size() - 1 - *out]};
}

summary summarise(const std::vector<double>& values) {
  if (values.empty()) return {};
  const auto [least, greatest] = std::ranges::minmax(values);
  return {median(values), least, greatest, median_deviation(values), median_interval(values, 0.95),
          values.size()};
}

std::optional<double> reach_of(const std::optional<interval>& within, double median) {
  if (!within || median <= 0) return std::nullopt;
  return std::max(within->high - median, median - within->low) / median;
}

difference compare_plainly(const std::vector<double>& first, const std::vector<double>& second) {
  if (first.empty() || second.empty()) return {};
  const interval a = extent_of(first);
  const interval b = extent_of(second);
  const bool apart = b.low > plain_difference * a.high || a.low > plain_difference * b.high;
  // Three of each, or two beside so many that by chance they are the two slowest of all once in 190 times.
  const std::size_t fewer = std::min(first.size(), second.size());
  const bool enough = fewer >= 3 || (fewer == 2 && first.size() + second.size() >= 20);
  return {median(second) / median(first), apart && enough, fewer};
}

difference compare(const std::vector<paired>& rounds) {
  std::vector<double> first;
  std::vector<double> second;
  std::vector<double> ratios;
  for (const paired& round : rounds) {
    if (round.first <= 0 || round.second <= 0) continue;  // a clock too coarse for them
    first.push_back(round.first);
    second.push_back(round.second);
    ratios.push_back(round.second / round.first);
  }
  if (ratios.empty()) return {};
  const double ratio = median(ratios);
  const std::optional<interval> within = median_interval(ratios, 0.99);
  if (!within) return {ratio, compare_plainly(first, second).certain, ratios.size()};
  const bool leaves_out_one = within->low > 1 || within->high < 1;
  return {ratio, leaves_out_one && std::max(ratio, 1 / ratio) > 1 + smallest_difference, ratios.size(),
          within};
}

usage usage_between(const usage& before, const usage& after, unsigned runs) {
  usage used;
  for (const auto figure : figures) used.*figure = (after.*figure - before.*figure) / runs;
  return used;
}

std::vector<double> seconds_of(const std::vector<sample>& samples) {
  std::vector<double> seconds;
  seconds.reserve(samples.size());
  for (const sample& one : samples) seconds.push_back(one.seconds);
  return seconds;
}

usage median_usage(const std::vector<sample>& samples) {
  usage middle;
  for (const auto figure : figures) {
    std::vector<double> values;
    values.reserve(samples.size());
    for (const sample& one : samples) values.push_back(one.usage.*figure);
    middle.*figure = median(std::move(values));
  }
  return middle;
}

difference compare(const std::vector<sample>& first, const std::vector<sample>& second) {
  std::vector<paired> rounds;
  for (auto a = first.begin(), b = second.begin(); a != first.end() && b != second.end();) {
    if (a->round == b->round) {
      rounds.push_back({a->seconds, b->seconds});
      ++a;
      ++b;
    } else if (a->round < b->round) {
      ++a;
    } else {
      ++b;
    }
  }
  return rounds.size() < 3 ? compare_plainly(seconds_of(first), seconds_of(second)) : compare(rounds);
}

}  // namespace riffle::bench
