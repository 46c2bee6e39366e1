/// `riffle bench compare` as it is typed: its statuses, and what it says of files that are no results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "bench/show/outputs.hpp"
#include "tests/support/given_report.hpp"
#include "tests/support/given_run.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::bench {

namespace {

using given::given_run;
using testing::HasSubstr;

/// The tool, on results in a directory.
class bench_compare_tool : public testing::Test {
 protected:
  void save(const char* name, const report& all) const {
    std::ofstream out(directory_.path() / name);
    write_json(all, judge(all), out);
  }
  test::shell_result compare(const std::string& arguments) const {
    return test::shell("cd " + directory_.path().string() + " && $riffle bench compare " + arguments);
  }
  test::temporary_directory directory_;
};

}  // namespace

TEST_F(bench_compare_tool, exits_with_1_where_a_row_is_slower_by_more_than_asked) {
  save("a", given_run());
  save("b", given_run(1.12, 1.3));
  EXPECT_EQ(compare("a b").status, 0);
  EXPECT_THAT(compare("a b").out, HasSubstr("1.12x"));
  EXPECT_EQ(compare("a b --fail-on 10%").status, 1);
  EXPECT_EQ(compare("a b --fail-on 0.1").status, 1);
  EXPECT_EQ(compare("a b --fail-on 13%").status, 0);
  EXPECT_EQ(compare("--fail-on 10% a a b").status, 1);
  EXPECT_EQ(compare("b a --fail-on 0%").status, 0);
}

TEST_F(bench_compare_tool, exits_with_1_where_a_row_of_riffle_was_not_measured_again_and_that_matters) {
  report less = given_run();
  less.tasks.at(0).lines.erase(less.tasks.at(0).lines.begin());
  save("a", given_run());
  save("b", less);
  EXPECT_EQ(compare("a b").status, 0);
  EXPECT_EQ(compare("a b --fail-on 10%").status, 1);
}

TEST_F(bench_compare_tool, exits_with_3_where_riffle_had_too_few_runs_to_be_judged) {
  report once = given_run();
  once.tasks.at(0).lines.at(0) = given::line_of("riffle", "a", {1.5});  // 0.1 before
  save("a", given_run());
  save("b", once);
  save("slower", given_run(1.12));
  EXPECT_EQ(compare("a b").status, 0);
  const test::shell_result undecided = compare("a b --fail-on 10%");
  EXPECT_EQ(undecided.status, 3);
  EXPECT_THAT(undecided.out, HasSubstr("UNDECIDED: "));
  EXPECT_EQ(compare("b a --fail-on 10%").status, 3);
  EXPECT_EQ(compare("a b slower --fail-on 10%").status, 1);
}

TEST_F(bench_compare_tool, judges_riffle_alone) {
  report once = given_run();
  once.tasks.at(0).lines.back() = given::line_of("nvwa", "p7", {0.3});
  save("a", given_run());
  save("b", once);
  const test::shell_result fine = compare("a b --fail-on 10%");
  EXPECT_EQ(fine.status, 0);
  EXPECT_THAT(fine.out, HasSubstr(" 1 with too few runs, "));
  EXPECT_THAT(fine.out, testing::Not(HasSubstr("UNDECIDED")));
}

TEST_F(bench_compare_tool, exits_with_1_where_answers_differ_or_nothing_is_in_both) {
  report other = given_run();
  for (measurement& line : other.tasks.at(0).lines) line.result.answer = answer{43, 7};
  save("a", given_run());
  save("b", other);
  save("empty", {});
  EXPECT_EQ(compare("a b").status, 1);
  EXPECT_EQ(compare("a empty").status, 1);
}

TEST_F(bench_compare_tool, exits_with_1_where_a_contender_broke) {
  report broken = given_run();
  broken.tasks.at(0).lines.at(0).result = {.outcome = outcome::failed, .reason = "Input/output error"};
  broken.tasks.at(0).lines.at(0).seconds = {};
  save("a", given_run());
  save("b", broken);
  EXPECT_EQ(compare("a b").status, 1);
  EXPECT_EQ(compare("b a").status, 0);
}

TEST_F(bench_compare_tool, exits_with_2_where_the_command_line_is_wrong) {
  save("a", given_run());
  EXPECT_EQ(compare("").status, 2);
  EXPECT_EQ(compare("a").status, 2);
  for (const char* share : {"10", "ten", "-5%", "nan", "10%%", "inf"}) {
    const test::shell_result refused = compare(std::string("a a --fail-on=") + share);
    EXPECT_EQ(refused.status, 2) << share;
    EXPECT_THAT(refused.err, HasSubstr("(see riffle bench compare --help)"));
    EXPECT_THAT(refused.err, HasSubstr("write 10% or 0.1")) << share;
  }
}

TEST_F(bench_compare_tool, names_a_file_that_is_no_result) {
  save("a", given_run());
  const test::shell_result missing = compare("a nowhere");
  EXPECT_EQ(missing.status, 1);
  EXPECT_THAT(missing.err, HasSubstr("'nowhere'"));
  const test::shell_result cut = compare("a <(head -c 900 a)");
  EXPECT_EQ(cut.status, 1);
  EXPECT_THAT(cut.err, HasSubstr("parse error"));
  const test::shell_result endless = compare("a /dev/zero");
  EXPECT_EQ(endless.status, 1);
  EXPECT_THAT(endless.err, HasSubstr("'/dev/zero': it is larger than 64 MiB"));
}

TEST_F(bench_compare_tool, reads_a_pipe_as_a_file) {
  save("a", given_run());
  const test::shell_result same = compare("a - --all < <(cat a)");
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_THAT(same.out,
              HasSubstr("B: 0 slower, 0 faster, 11 unchanged, 0 not in both, 0 failed or wrong.\n"));
}

}  // namespace riffle::bench
