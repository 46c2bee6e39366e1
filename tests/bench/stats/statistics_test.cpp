/// The statistics are those computed by hand, and they tell a difference from noise as often as they promise.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "bench/data/report.hpp"
#include "bench/stats/statistics.hpp"

namespace riffle::bench {

namespace {

std::vector<double> up_to(int last) {
  std::vector<double> values;
  for (int value = last; value >= 1; --value) values.push_back(value);
  return values;
}
std::vector<paired> same(std::size_t rounds, double first, double second) {
  return std::vector<paired>(rounds, {first, second});
}

/// A machine with neighbours: its speed drifts, each run is off by some percent, and some take far longer.
class noisy_machine {
 public:
  explicit noisy_machine(std::uint64_t seed, double spread = 0.03) : random_(seed), spread_(spread) {}

  std::vector<paired> rounds(int count, double slowdown) {
    std::vector<paired> all;
    double drift = 0;
    for (int round = 0; round < count; ++round) {
      drift = 0.9 * drift + 0.1 * normal();
      const double speed = std::exp(drift);
      all.push_back({speed * run(), slowdown * speed * run()});
    }
    return all;
  }

 private:
  double uniform() { return (static_cast<double>(random_.below(1U << 30U)) + 0.5) / (1U << 30U); }
  double normal() {  // Box and Muller, 1958
    return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
  }
  double run() { return std::exp(spread_ * normal()) * (uniform() < 0.05 ? 2 : 1); }

  random_numbers random_;
  double spread_;
};

}  // namespace

TEST(statistics, are_those_computed_by_hand) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({4, 1, 9}), 4);
  EXPECT_EQ(median({9, 1, 4, 6}), 5);
  EXPECT_EQ(median_deviation({1, 1, 2, 2, 4, 6, 9}), 1);  // about 2: 1 1 0 0 2 4 7
  const summary all = summarise({5, 1, 3, 100});
  EXPECT_EQ(all.median, 4);
  EXPECT_EQ(all.min, 1);
  EXPECT_EQ(all.max, 100);
  EXPECT_EQ(all.mad, 2);  // about 4: 1 3 1 96
  EXPECT_EQ(all.samples, 4U);
  EXPECT_EQ(all.ci95, std::nullopt);
  EXPECT_EQ(summarise({}).samples, 0U);
}

// The ranks are those of the tables for the sign test, such as in Conover, Practical Nonparametric
// Statistics. One value more than a thousand has much the same interval.
TEST(statistics, give_the_intervals_of_the_tables) {
  struct row {
    int values;
    double confidence;
    std::optional<interval> expected;
  };
  for (const row& each : {row{5, 0.95, {}},
                          {6, 0.95, interval{1, 6}},
                          {8, 0.95, interval{1, 8}},
                          {9, 0.95, interval{2, 8}},
                          {20, 0.95, interval{6, 15}},
                          {50, 0.95, interval{18, 33}},
                          {7, 0.99, {}},
                          {8, 0.99, interval{1, 8}},
                          {20, 0.99, interval{4, 17}}})
    EXPECT_EQ(median_interval(up_to(each.values), each.confidence), each.expected) << each.values;
  for (const double confidence : {0.95, 0.99}) {
    const interval exact = median_interval(up_to(1000), confidence).value();
    const interval rough = median_interval(up_to(1001), confidence).value();
    EXPECT_NEAR(rough.low, exact.low, 2);
    EXPECT_NEAR(rough.high, exact.high, 2);
  }
}

TEST(difference, is_certain_in_rounds_that_agree_and_in_runs_that_are_plainly_apart) {
  using runs = std::vector<sample>;
  const runs quick{{1, 1}, {2, 1.1}, {3, 1}};
  std::vector<double> many(20, 1.0);
  many.back() = 100;  // one that was held up
  const std::vector<double> steady(18, 1.0);
  struct row {
    difference seen;
    bool certain;
    double ratio = 0;  // 0: whatever
  };
  // clang-format off
  const std::vector<row> rows{
      {compare(std::vector<paired>{}), false},
      // Eight rounds that agree, and more than two percent.
      {compare(same(8, 1, 1.05)), true, 1.05}, {compare(same(8, 1.05, 1)), true, 1 / 1.05},
      {compare(same(7, 1, 1.05)), false}, {compare(same(50, 1, 1.01)), false},
      // Three rounds, if they are plain.
      {compare(same(3, 1, 1.6)), true}, {compare(same(3, 1.6, 1)), true}, {compare(same(3, 1, 1.4)), false},
      {compare(same(2, 1, 9)), false},
      {compare(same(20, 0, 1)), false},  // what the clock could not see
      {compare({{1, 2}, {1, 2}, {1.5, 2}}), false},  // the slowest of one, the fastest of the other
      // Two rounds in common, and ranges that overlap; one took 1 to 100, the other 3 to 300.
      {compare(runs{{1, 1}, {2, 10}, {3, 100}, {5, 7}}, runs{{2, 30}, {3, 300}, {4, 1}}), false},
      {compare(runs{{1, 1}, {2, 10}, {3, 100}, {5, 7}}, runs{{1, 3}, {2, 30}, {3, 300}}), false, 3},
      // No round in common.
      {compare(quick, runs{{0, 9}, {4, 10}, {5, 9}}), true, 9}, {compare(quick, runs{{0, 9}, {4, 10}}), false},
      {compare(quick, runs{{0, 9}, {4, 1.5}, {5, 9}}), false}, {compare(quick, runs{}), false},
      {compare_plainly(steady, {9, 9}), true}, {compare_plainly(std::vector<double>(17, 1.0), {9, 9}), false},
      {compare_plainly(std::vector<double>(500, 1.0), {9}), false},
      {compare_plainly(many, {9, 9, 9}), true}, {compare_plainly(many, {1.4, 1.4, 1.4}), false}};
  // clang-format on
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].seen.certain, rows[i].certain) << i;
    EXPECT_NEAR(rows[i].seen.ratio, rows[i].ratio == 0 ? rows[i].seen.ratio : rows[i].ratio, 1e-9) << i;
  }
  EXPECT_EQ(rows[12].seen.rounds, 3U);
  EXPECT_FALSE(rows[12].seen.enough_rounds());
}

// Of 1000 pairs: how many are shown to differ, and how many are shown not to, by 5 %.
TEST(difference, is_shown_or_denied_in_error_in_fewer_than_one_of_fifty) {
  for (const double ratio : {1.0, 1.02, 1.06, 1.1, 1 / 1.1, 1.5}) {
    for (const double spread : {0.01, 0.03, 0.1, 0.7}) {
      int differ = 0;
      int alike = 0;
      for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
        const difference seen = compare(noisy_machine(seed, spread).rounds(spread == 0.03 ? 50 : 24, ratio));
        differ += seen.certain && (ratio == 1 || (seen.ratio > 1) == (ratio > 1)) ? 1 : 0;
        alike += seen.alike() ? 1 : 0;
        EXPECT_FALSE(seen.certain && seen.alike());
      }
      const std::string about = std::to_string(ratio) + " by " + std::to_string(spread);
      const double apart = std::max(ratio, 1 / ratio);
      EXPECT_LT(ratio == 1 ? differ : 0, 20) << about;
      EXPECT_LT(apart > 1.05 || spread == 0.7 ? alike : 0, 20) << about;
      EXPECT_GT(spread == 0.01 && ratio == 1 ? alike : 1000, 980) << about;
      EXPECT_GT(spread == 0.01 && apart >= 1.06 ? differ : 1000, 980) << about;
      EXPECT_GT(spread == 0.03 && apart >= 1.1 ? differ : 1000, 980) << about << ", in 50 rounds";
    }
  }
}

}  // namespace riffle::bench
