/// A published figure is only of use when its contenders exist here and are compared the right way round.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "bench/contenders/registry.hpp"
#include "bench/judge/claims.hpp"
#include "tests/support/given_report.hpp"

namespace riffle::bench {

namespace {

using testing::IsEmpty;

task_report of_ints(const std::vector<std::pair<const char*, double>>& seconds) {
  std::vector<contender> contenders;
  std::vector<result> results;
  for (const auto& [name, median] : seconds) {
    contenders.push_back(given::named(task::ints, "ioaccess", name, "read"));
    results.push_back(given::took(median));
  }
  return {.task = task::ints,
          .input = "arrays",
          .files = 1,
          .bytes = 1000000,
          .lines = in_order(contenders, std::move(results), cache_mode::hot)};
}

bool exists(task which, std::string_view id) {
  return std::ranges::any_of(contenders_of(which, {}), [&](const contender& one) { return one.id() == id; });
}

}  // namespace

TEST(claims, name_contenders_that_exist) {
  for (const claim& each : claims()) {
    EXPECT_TRUE(exists(each.task, each.contender)) << each.contender;
    EXPECT_TRUE(exists(each.task, each.against)) << each.against;
    EXPECT_GT(each.times_as_fast, 0);
    EXPECT_FALSE(each.author.empty());
  }
}

TEST(claims, come_oldest_first) {
  EXPECT_TRUE(std::ranges::is_sorted(claims(), {}, &claim::year));
}

TEST(claims, stand_beside_the_same_two_contenders_here) {
  const std::vector<checked_claim> checked =
      check_claims(of_ints({{"fread", 0.2}, {"mmap", 0.1}, {"unheard-of", 1}}));
  ASSERT_EQ(checked.size(), 1U);
  EXPECT_EQ(checked.at(0).published->year, 2012);
  EXPECT_EQ(checked.at(0).published->contender, "ioaccess/mmap");
  EXPECT_NEAR(checked.at(0).here.ratio, 2, 1e-9);
  EXPECT_TRUE(checked.at(0).here.certain);
}

TEST(claims, are_not_certain_within_the_noise) {
  const std::vector<checked_claim> checked = check_claims(of_ints({{"fread", 0.1001}, {"mmap", 0.1}}));
  ASSERT_EQ(checked.size(), 1U);
  EXPECT_FALSE(checked.at(0).here.certain);
}

TEST(claims, are_left_out_without_both_contenders) {
  EXPECT_THAT(check_claims(of_ints({{"fread", 0.2}})), IsEmpty());
  task_report failed = of_ints({{"fread", 0.2}, {"mmap", 0.1}});
  failed.lines.front().result.outcome = outcome::wrong;
  EXPECT_THAT(check_claims(failed), IsEmpty());
  task_report by_two_threads = of_ints({{"fread", 0.2}, {"mmap", 0.1}});
  by_two_threads.lines.front().threads = 2;
  EXPECT_THAT(check_claims(by_two_threads), IsEmpty());
}

TEST(claims, of_one_large_file_and_of_many_small_ones_are_told_apart) {
  task_report words{.task = task::words, .files = 1};
  words.lines = in_order({given::named(task::words, "wc_measurements", "fgetc", "stdio"),
                          given::named(task::words, "wc", "wc -w", "process")},
                         {given::took(5), given::took(1)}, cache_mode::hot);
  const std::vector<checked_claim> one = check_claims(words);
  words.files = 185;
  const std::vector<checked_claim> many = check_claims(words);
  ASSERT_EQ(one.size(), 1U);
  ASSERT_EQ(many.size(), 1U);
  EXPECT_DOUBLE_EQ(one.at(0).published->times_as_fast, 6137 / 64491.6);
  EXPECT_DOUBLE_EQ(many.at(0).published->times_as_fast, 480 / 5608.48);
}

}  // namespace riffle::bench
