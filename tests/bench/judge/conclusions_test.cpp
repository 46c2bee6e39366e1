/// What follows from a report is concluded for each of its tables, in the order of their contenders.
#include "bench/judge/conclusions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/judge/ranks.hpp"
#include "bench/judge/warnings.hpp"
#include "tests/support/given_report.hpp"

namespace riffle::bench {

namespace {

std::size_t place_of(const task_report& table, std::string_view name) {
  const auto found = std::ranges::find(table.lines, name, &measurement::name);
  return static_cast<std::size_t>(found - table.lines.begin());
}

}  // namespace

TEST(conclusions, stand_beside_each_table_of_the_report) {
  const report report = given::everything();
  const conclusions found = judge(report);
  ASSERT_EQ(found.tables.size(), report.tasks.size());
  for (std::size_t i = 0; i < report.tasks.size(); ++i) {
    const table_conclusions& table = found.tables[i];
    ASSERT_EQ(table.standings.size(), report.tasks[i].lines.size());
    EXPECT_EQ(table.verdict.text, verdict_of(report.tasks[i]).text);
    EXPECT_EQ(table.claims.size(), check_claims(report.tasks[i]).size());
  }
  ASSERT_EQ(found.warnings.size(), 1U);
  EXPECT_EQ(found.warnings[0].name, "frequency_scaling");
}

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

TEST(conclusions, of_nothing_are_none) {
  EXPECT_TRUE(judge({}).tables.empty());
  const report limits_alone{.tasks = {given::race(task::gc, {{"limit", "scan", "memory", 1}})}};
  const conclusions found = judge(limits_alone);
  EXPECT_FALSE(found.tables.at(0).fastest.has_value());
  EXPECT_EQ(found.tables.at(0).verdict.text, "Nothing was measured.");
}

}  // namespace riffle::bench
