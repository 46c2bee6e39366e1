/// Why this file exists: the few robust statistics that a result is given in, as pure functions.
#ifndef RIFFLE_BENCH_STATISTICS_HPP
#define RIFFLE_BENCH_STATISTICS_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace riffle::bench {

/// The middle value, or the mean of the two middle ones; 0 when there is none.
inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// The median absolute deviation: how far, typically, a value lies from the median, whatever the outliers.
inline double median_deviation(std::vector<double> values) {
  const double centre = median(values);
  for (double& value : values) value = std::abs(value - centre);
  return median(std::move(values));
}

/// What a contender's timed runs amount to; all in the unit of the values.
struct summary {
  double median = 0;
  double min = 0;
  double max = 0;
  double mad = 0;
  std::size_t samples = 0;
};

inline summary summarise(const std::vector<double>& values) {
  if (values.empty()) return {};
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  return {median(values), *least, *greatest, median_deviation(values), values.size()};
}

}  // namespace riffle::bench

#endif
