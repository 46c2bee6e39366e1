/// What follows from a table is concluded for each of its contenders, in their order.
#include "bench/judge/conclusions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace riffle::bench
