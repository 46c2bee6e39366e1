/// What follows from a table is concluded for each of its contenders, in their order. A rank is shared by
/// those that do not differ, and given only to those that were told apart.
#include "bench/judge/conclusions.hpp"

#include <gmock/gmock.h>

#include "tests/support/given_report.hpp"

namespace riffle::bench {

namespace {

std::size_t place_of(const task_report& table, std::string_view name) {
  const auto found = std::ranges::find(table.lines, name, &measurement::name);
  return static_cast<std::size_t>(found - table.lines.begin());
}

}  // namespace

TEST(conclusions, set_each_contender_beside_the_fastest) {
  const task_report table = given::hot();
  const table_conclusions found = judge_table(table);
  const std::size_t fastest = place_of(table, "automatic");
  EXPECT_EQ(found.fastest, fastest);
  EXPECT_FALSE(found.standings[fastest].against_fastest.has_value());
  const standing& read = found.standings[place_of(table, "read")];
  EXPECT_EQ(read.rank, 3U);
  EXPECT_TRUE(read.against_fastest.value().certain);
  EXPECT_NEAR(read.against_fastest->ratio, 1.6, 1e-9);
  EXPECT_FALSE(found.standings[place_of(table, "mmap")].against_fastest.value().certain);
  for (const char* const without : {"scan", "perl-tr", "uring", "fread"})
    EXPECT_FALSE(found.standings[place_of(table, without)].against_fastest.has_value()) << without;
}

TEST(ranks, are_shared_within_the_noise_and_given_to_what_was_told_apart) {
  const auto of = [](const std::vector<double>& seconds, std::size_t rounds = 20) {
    const char* const names[]{"a", "b", "c", "d", "e", "f"};
    std::vector<given::entry> entries;
    for (const double each : seconds) entries.push_back({"p", names[entries.size()], "read", each});
    task_report table = given::race(task::gc, entries);
    given::keep_rounds(table, rounds);
    return table;
  };
  const auto hot = [](std::size_t rounds) {
    task_report table = given::hot();
    given::keep_rounds(table, rounds);
    return table;
  };
  task_report varied = of({0.0277, 0.0461, 0.0747}, 3);
  varied.lines[0].result.samples[2].seconds = 0.08;  // once each
  task_report second = of({1, 1.01, 3});
  given::keep_rounds(second.lines[1], 3);
  task_report twice = of({1, 3});
  given::keep_rounds(twice.lines[1], 2);
  using ranks = std::vector<unsigned>;
  struct row {
    const char* about;
    task_report table;
    ranks expected;
  };
  for (const row& each : {row{"within the noise, e from d and d from a",
                              of({1, 1.01, 1.015, 1.03, 1.045, 2}),
                              {1, 1, 1, 0, 5, 6}},
                          {"limits, and what was not measured", hot(20), {0, 0, 1, 1, 3, 4, 5, 6, 0, 0, 0}},
                          {"nothing", {}, {}},
                          {"three rounds: only what is plain", hot(3), {0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0}},
                          {"two rounds", hot(2), ranks(11, 0)},
                          {"two rounds beside twenty", twice, {1, 0}},
                          {"three that vary in three rounds", varied, {0, 0, 0}},
                          {"few rounds, but plain", of({1, 2, 4}, 3), {1, 2, 3}},
                          {"eight rounds have an interval", of({1, 1.01}, 8), {1, 1}},
                          {"seven have none", of({1, 1.01}, 7), {0, 0}},
                          {"the first keeps its rank", second, {1, 0, 3}}})
    EXPECT_EQ(ranks_of(each.table), each.expected) << each.about;
}

}  // namespace riffle::bench
