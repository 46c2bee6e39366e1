/// The few robust statistics that a result is given in, as pure functions that assume nothing about how times
/// are distributed; and how samples are added up and compared round by round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "bench/data/report.hpp"

namespace riffle::bench {

/// The middle value, or the mean of the two middle ones; 0 if there is none.
double median(std::vector<double> values);

/// The median absolute deviation: how far, typically, a value lies from the median, whatever the outliers.
double median_deviation(std::vector<double> values);

/// A confidence interval of the median by order statistics: exact for independent values of any distribution
/// (David and Nagaraja, Order Statistics, 3rd edition, 7.1). Nothing if so few values cannot give that
/// confidence: 95 % takes 6 of them, 99 % takes 8.
std::optional<interval> median_interval(std::vector<double> values, double confidence);

/// So many rounds are measured before a table is judged: the 99 % interval then leaves out 3 values at each
/// end, so that the odd run that was held up hides nothing.
inline constexpr std::size_t rounds_to_judge = 18;

/// What the values amount to.
summary summarise(const std::vector<double>& values);

/// How far an interval reaches from the median, to the farther side, as a share of the median. Nothing
/// without an interval, or where the median is 0.
std::optional<double> reach_of(const std::optional<interval>& within, double median);

/// How the first of two compares with the second, as far as their rounds can tell. `few`: too few rounds;
/// `varied`: enough, but they vary too much.
enum class relation : std::uint8_t { faster, slower, alike, few, varied };

/// How the times of two contenders compare.
struct difference {
  double ratio = 1;        // of the second one's times to the first one's: above 1, the first is faster
  bool certain = false;    // they differ, beyond the noise
  std::size_t rounds = 0;  // of the one that has fewer
  std::optional<interval> within = {};  // the 99 % interval of the ratio; nothing: fewer than 8 rounds

  /// Whether there were as many rounds as a judgement needs.
  [[nodiscard]] bool enough_rounds() const { return rounds >= rounds_to_judge; }
  /// Whether they were shown not to differ: the ratio lies within 5 % of 1. False for two that are not
  /// certain to differ: these rounds cannot tell them apart.
  [[nodiscard]] bool alike() const {
    constexpr double most = 1.05;
    return !certain && within && within->low >= 1 / most && within->high <= most;
  }
  [[nodiscard]] relation how() const {
    if (alike()) return relation::alike;
    if (!certain) return enough_rounds() ? relation::varied : relation::few;
    return ratio > 1 ? relation::faster : relation::slower;
  }
};

/// One timed run of either contender, in the round that both took part in.
struct paired {
  double first = 0;
  double second = 0;
};

/// Compares two contenders by the ratio of each round, in which both met the same neighbours and the same
/// clock frequency. They differ where a 99 % interval of the median ratio leaves out 1, and the ratio is more
/// than 2 % away from it, the slower to the faster: where code happens to lie in memory is worth more than
/// that (Mytkowicz et al., Producing Wrong Data Without Doing Anything Obviously Wrong, ASPLOS 2009). Fewer
/// than 8 rounds give no such interval; then only what is plain counts: every run of one took 1.5 times as
/// long as any of the other, and there are enough of them.
difference compare(const std::vector<paired>& rounds);

/// The same of runs that have no rounds in common: only what is plain counts. Of 8 runs or more, the 99 %
/// interval of their median stands for all of them.
difference compare_plainly(const std::vector<double>& first, const std::vector<double>& second);

/// What each of `runs` runs used between two readings of the meter.
usage usage_between(const usage& before, const usage& after, unsigned runs);

/// The seconds alone, in order.
std::vector<double> seconds_of(const std::vector<sample>& samples);
/// The median of each figure.
usage median_usage(const std::vector<sample>& samples);
/// `compare` over the rounds in which both were timed. Fewer than three of them (one was slow, and had rounds
/// of its own) leave what is plain from all runs of both.
difference compare(const std::vector<sample>& first, const std::vector<sample>& second);

/// SplitMix64 (Steele, Lea, Flood, 2014): tiny, and good enough to look like text.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t mixed = state_ += 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31);
  }
  /// A number below `limit`, which is far below 2^32.
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(((next() >> 32) * limit) >> 32); }

 private:
  std::uint64_t state_;
};

}  // namespace riffle::bench
