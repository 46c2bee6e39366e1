/// Time divided into rounds, as a function of costs.
#include "bench/measure/shares.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace riffle::bench {

namespace {

using testing::ElementsAre;

std::vector<unsigned> rounds_of(unsigned turns, unsigned rounds) {
  const std::vector<unsigned> places = spread_places(rounds);
  std::vector<unsigned> taken;
  for (unsigned round = 0; round < rounds; ++round) {
    if (places[round] < turns) taken.push_back(round);
  }
  return taken;
}

}  // namespace

TEST(shares, are_every_round_for_everyone_if_time_allows) {
  const shared_rounds shared = share_rounds({{0.1, true, 0}, {0.5, false, 3}}, 100, 0, 24);
  EXPECT_EQ(shared.rounds, 24U);
  EXPECT_THAT(shared.turns, ElementsAre(24, 24));
}

TEST(shares, are_equal_seconds_for_those_that_do_not_come_first) {
  const shared_rounds shared =
      share_rounds({{0.1, true, 0}, {0.5, false, 3}, {0.25, false, 3}, {0.01, false, 3}}, 2.4 + 8.24, 0, 24);
  EXPECT_EQ(shared.rounds, 24U);
  EXPECT_THAT(shared.turns, ElementsAre(24, 8, 16, 24));
}

TEST(shares, keep_what_is_owed_and_what_is_reserved) {
  const shared_rounds shared = share_rounds({{0.1, true, 3}, {2, false, 3}}, 1, 1.85, 24);
  EXPECT_EQ(shared.rounds, 18U);
  EXPECT_THAT(shared.turns, ElementsAre(18, 3));
}

TEST(shares, have_as_many_rounds_as_the_quickest_has_turns_if_nobody_comes_first) {
  const shared_rounds shared = share_rounds({{0.1, false, 0}, {0.4, false, 0}}, 1.6, 0, 24);
  EXPECT_EQ(shared.rounds, 8U);
  EXPECT_THAT(shared.turns, ElementsAre(8, 2));
}

TEST(shares, are_none_without_contenders_or_time) {
  EXPECT_EQ(share_rounds({}, 1, 0, 24).rounds, 0U);
  EXPECT_EQ(share_rounds({{0.1, false, 0}}, 0, 0, 24).rounds, 0U);
  EXPECT_EQ(share_rounds({{0, true, 0}}, 1, 0, 24).rounds, 24U) << "a clock too coarse for it";
}

TEST(shares, are_spread_over_the_rounds) {
  EXPECT_THAT(rounds_of(1, 18), ElementsAre(0));
  EXPECT_THAT(rounds_of(2, 18), ElementsAre(0, 9));
  EXPECT_THAT(rounds_of(3, 18), ElementsAre(0, 4, 9));
  EXPECT_THAT(rounds_of(4, 16), ElementsAre(0, 4, 8, 12));
  for (const unsigned rounds : {1U, 2U, 7U, 24U, 50U, 1000U}) {
    std::vector<unsigned> places = spread_places(rounds);
    std::ranges::sort(places);
    for (unsigned i = 0; i < rounds; ++i) EXPECT_EQ(places[i], i);
  }
}

}  // namespace riffle::bench
