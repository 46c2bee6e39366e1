/// A rank is shared by those that do not differ, and given only to those that were told apart.
#include "bench/judge/ranks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/given_report.hpp"

namespace riffle::bench {

namespace {

using given::keep_rounds;
using given::race;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

}  // namespace

TEST(ranks, are_shared_within_the_noise) {
  const task_report table = race(task::gc, {{"limit", "scan", "memory", 0.5},
                                            {"p", "a", "read", 1},
                                            {"p", "b", "read", 1.01},
                                            {"p", "c", "read", 1.015},
                                            {"p", "d", "read", 1.03},
                                            {"p", "e", "read", 1.045},
                                            {"p", "f", "read", 2}});
  EXPECT_THAT(ranks_of(table), ElementsAre(0, 1, 1, 1, 0, 5, 6));
}

TEST(ranks, are_not_given_to_what_was_not_measured) {
  EXPECT_THAT(ranks_of(given::hot()), ElementsAre(0, 0, 1, 1, 3, 4, 5, 6, 0, 0, 0));
  EXPECT_THAT(ranks_of({}), IsEmpty());
}

TEST(ranks, are_not_shared_by_contenders_that_too_few_rounds_cannot_tell_apart) {
  task_report table = given::hot();
  keep_rounds(table, 3);  // only what is plain: read against mmap, and getc against all
  EXPECT_THAT(ranks_of(table), ElementsAre(0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0));
  keep_rounds(table, 2);
  EXPECT_THAT(ranks_of(table), Each(0));
}

TEST(ranks, are_not_given_to_three_of_27_46_and_75_milliseconds_in_three_rounds_that_vary) {
  task_report table =
      race(task::gc, {{"p", "a", "read", 0.0277}, {"p", "b", "read", 0.0461}, {"p", "c", "read", 0.0747}});
  keep_rounds(table, 3);
  table.lines[0].result.samples[2].seconds = 0.08;  // once each
  EXPECT_THAT(ranks_of(table), ElementsAre(0, 0, 0));
}

TEST(ranks, are_given_in_few_rounds_to_what_differs_plainly) {
  task_report table = race(task::gc, {{"p", "a", "read", 1}, {"p", "b", "read", 2}, {"p", "c", "read", 4}});
  keep_rounds(table, 3);
  EXPECT_THAT(ranks_of(table), ElementsAre(1, 2, 3));
}

TEST(ranks, need_an_interval_as_no_difference_does) {
  task_report table = race(task::gc, {{"p", "a", "read", 1}, {"p", "b", "read", 1.01}});
  keep_rounds(table, 8);
  EXPECT_THAT(ranks_of(table), ElementsAre(1, 1));
  keep_rounds(table, 7);
  EXPECT_THAT(ranks_of(table), ElementsAre(0, 0));
}

TEST(ranks, are_kept_by_the_first_that_has_rounds_enough_itself) {
  task_report table =
      race(task::gc, {{"p", "a", "read", 1}, {"p", "b", "read", 1.01}, {"p", "c", "read", 3}});
  keep_rounds(table.lines[1], 3);
  EXPECT_THAT(ranks_of(table), ElementsAre(1, 0, 3));
}

}  // namespace riffle::bench
