/// A published figure is only of use when its contenders exist here and are compared the right way round.
#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "bench/contenders/registry.hpp"
#include "bench/judge/claims.hpp"
#include "tests/support/given_report.hpp"

namespace riffle::bench {

namespace {

using testing::IsEmpty;

task_report of_ints(const std::vector<std::pair<const char*, double>>& seconds) {
  std::vector<given::entry> entries;
  for (const auto& [name, median] : seconds) entries.push_back({"ioaccess", name, "read", median});
  return given::race(task::ints, entries, cache_mode::hot, 1000000);
}

std::vector<checked_claim> check_claims(const task_report& table) {
  return check_figures(*std::ranges::find(published_tables(), "ioaccess", &published_table::name), table);
}

}  // namespace

TEST(published, names_contenders_that_exist_and_stands_together) {
  std::set<std::tuple<std::string_view, task, bool>> seen;
  const published_table* before = nullptr;
  for (const published_table& table : published_tables()) {
    std::vector<contender> all = contenders_of(table.task, {});
    add_walks(table.task, all);
    for (const published_figure& figure : table.figures) {
      for (const std::string_view id :
           {figure.contender, figure.against.empty() ? table.base : figure.against})
        EXPECT_EQ(std::ranges::count(all, id, &contender::id), 1) << id;
      EXPECT_LE(figure.figure.low, figure.figure.high);
    }
    const bool same = before != nullptr && std::tie(before->program, before->task, before->many_files) ==
                                               std::tie(table.program, table.task, table.many_files);
    EXPECT_TRUE(seen.insert({table.program, table.task, table.many_files}).second || same) << table.name;
    before = &table;
  }
}

TEST(claims, stand_beside_the_same_two_contenders_here) {
  const std::vector<checked_claim> checked =
      check_claims(of_ints({{"fread", 0.2}, {"mmap", 0.1}, {"unheard-of", 1}}));
  ASSERT_EQ(checked.size(), 1U);
  EXPECT_EQ(checked.at(0).table->year, 2012);
  EXPECT_EQ(checked.at(0).figure->contender, "ioaccess/mmap");
  EXPECT_DOUBLE_EQ(checked.at(0).times.low, 125.0 / 124);
  EXPECT_NEAR(checked.at(0).here.ratio, 2, 1e-9);
  EXPECT_EQ(checked.at(0).how, holding::no);
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

TEST(claims, hold_or_not_beyond_the_noise) {
  const difference even{.ratio = 1, .certain = false, .rounds = 20, .within = interval{0.98, 1.02}};
  const auto times = [](double ratio) { return difference{.ratio = ratio, .certain = true, .rounds = 20}; };
  const std::vector<std::tuple<range, difference, holding>> cases{
      {{2}, times(2.2), holding::yes},
      {{2}, times(9), holding::more},
      {{92}, times(9), holding::less},
      {{2}, times(0.5), holding::reversed},
      {{0.5}, times(0.5), holding::yes},
      {{0.5}, times(0.05), holding::more},
      {{0.5}, times(2), holding::reversed},
      {{2}, even, holding::no},
      {{1.01}, even, holding::yes},
      {{1.01}, times(2), holding::no},
      {{14, 39}, times(50), holding::yes},
      {{14, 39}, times(60), holding::more},
      {{14, 39}, times(9), holding::less},
      {{1}, {.ratio = 1, .certain = false, .rounds = 20, .within = interval{0.9, 1.1}}, holding::open},
      {{2}, {.ratio = 2, .certain = false, .rounds = 20}, holding::open},
      {{1}, {.ratio = 1, .certain = false, .rounds = rounds_to_judge - 1}, holding::open}};
  for (const auto& [published, here, expected] : cases)
    EXPECT_EQ(hold(published, here), expected) << published.low << " and " << here.ratio;
}

TEST(claims, say_where_the_slower_one_spends_its_time) {
  task_report ints = of_ints({{"fread", 2}, {"mmap", 1}});
  const auto why = [&] { return cause_of(check_claims(ints).at(0), ints); };
  EXPECT_EQ(why(), "fread takes 1.00 s longer, 75 % of that in its own loop");
  for (measurement& line : ints.lines) {
    for (sample& one : line.result.samples) std::swap(one.usage.user_seconds, one.usage.system_seconds);
  }
  ints.lines.back().usage.minor_faults = 8;
  EXPECT_EQ(why(),
            "fread takes 1.00 s longer, 75 % of that in the OS kernel, which copies the bytes (page faults: "
            "8 against 0)");
  ints.lines.back().usage.minor_faults = 1030;
  EXPECT_THAT(why(), testing::HasSubstr("in the OS kernel, for page faults (page faults: 1,030 against 0)"));
  ints.lines.back().usage.minor_faults = 0;
  ints.lines.back().method = "mmap";
  EXPECT_THAT(why(), testing::HasSubstr("in the OS kernel, for the mapping"));
}

}  // namespace riffle::bench
