/// Figures of usage are added, subtracted and summed up one by one, in one place.
#include "bench/stats/samples.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace riffle::bench {

namespace {

constexpr std::array figures{&usage::user_seconds, &usage::system_seconds,     &usage::minor_faults,
                             &usage::major_faults, &usage::voluntary_switches, &usage::involuntary_switches,
                             &usage::bytes_read};

}  // namespace

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
