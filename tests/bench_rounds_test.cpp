/// Why this file exists: order, timing and checks of the rounds, seen by contenders that only pretend to
/// read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/rounds.hpp"
#include "bench/statistics.hpp"

namespace riffle::bench {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Contenders that note their turns and let a false clock go on by what they cost.
class rounds : public testing::Test {
 protected:
  contender pretend(const std::string& name, std::int64_t nanoseconds, answer given = {1, 2}) {
    return {task::gc, name, "test", "none", "pretends", [this, name, nanoseconds, given](input_files) {
              turns_ += name;
              now_ += nanoseconds;
              return given;
            }};
  }
  std::vector<result> run(const std::vector<contender>& contenders,
                          const round_options& options = {.rounds = 3}) {
    return run_rounds(contenders, {}, options, [this] { return now_; });
  }

  std::int64_t now_ = 1000;
  std::string turns_;
};

}  // namespace

TEST_F(rounds, are_interleaved_after_one_that_is_not_timed) {
  const std::vector<result> results = run({pretend("A", 5), pretend("B", 6), pretend("C", 7)});
  EXPECT_EQ(turns_, "ABCABCABCABC");
  EXPECT_EQ(results.at(1).seconds.size(), 3U);
  EXPECT_DOUBLE_EQ(results.at(1).seconds.front(), 6e-9);
}

TEST_F(rounds, give_slow_contenders_no_more_than_enough_runs) {
  const auto results = run({pretend("f", 5), pretend("s", 500)}, {.rounds = 6, .slow = 10, .enough = 3});
  EXPECT_EQ(results.at(0).seconds.size(), 6U);
  EXPECT_EQ(results.at(1).seconds.size(), 3U);
}

TEST_F(rounds, do_not_take_the_limit_for_the_best) {
  contender limit = pretend("l", 1);
  limit.program = "limit";
  EXPECT_EQ(run({limit, pretend("A", 500)}, {.rounds = 6, .slow = 10, .enough = 3}).at(1).seconds.size(), 6U);
}

TEST_F(rounds, stop_when_the_budget_is_spent) {
  const auto results = run({pretend("f", 1000000000), pretend("s", 50000000000)},
                           {.rounds = 9, .budget = 60, .slow = 10, .enough = 3});
  EXPECT_EQ(results.at(0).seconds.size(), 3U);
  EXPECT_EQ(results.at(1).seconds.size(), 1U);
}

TEST_F(rounds, name_both_contenders_and_both_answers_when_they_differ) {
  try {
    run({pretend("right", 5, {7, 1}), pretend("wrong", 5, {8, 1})});
    ADD_FAILURE() << "the difference was not seen";
  } catch (const wrong_answer& difference) {
    EXPECT_THAT(difference.what(), HasSubstr("test/right gives count 7, sum 1"));
    EXPECT_THAT(difference.what(), HasSubstr("test/wrong gives count 8, sum 1"));
  }
}

TEST_F(rounds, see_a_contender_that_changes_its_answer) {
  std::uint64_t turn = 0;
  contender fickle = pretend("fickle", 5);
  fickle.run = [&turn](input_files) { return answer{turn++, 0}; };
  EXPECT_THROW(run({fickle}), wrong_answer);
}

TEST_F(rounds, go_on_without_contenders_that_fail_or_cannot_run) {
  contender failing = pretend("F", 5);
  failing.run = [](input_files) -> answer { throw std::runtime_error("the disk is gone"); };
  contender absent = pretend("U", 5);
  absent.unavailable = [](input_files) { return std::optional<std::string>("not installed"); };
  const std::vector<result> results = run({failing, absent, pretend("A", 5)});
  EXPECT_EQ(turns_, "AAAA");
  EXPECT_EQ(results.at(0).outcome, outcome::failed);
  EXPECT_EQ(results.at(0).reason, "the disk is gone");
  EXPECT_EQ(results.at(1).outcome, outcome::unavailable);
  EXPECT_EQ(results.at(1).reason, "not installed");
  EXPECT_EQ(results.at(2).outcome, outcome::measured);
}

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
  EXPECT_EQ(summarise({}).samples, 0U);
}

}  // namespace riffle::bench
