/// `riffle bench compare` as it is typed: its statuses, and what it says of files that are no results.
#include <gmock/gmock.h>

#include <fstream>

#include "bench/show/outputs.hpp"
#include "tests/support/given_report.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::bench {

namespace {

using given::given_run;
using testing::HasSubstr;
using testing::Not;

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

TEST_F(bench_compare_tool, exits_with_the_worst_of_its_comparisons) {
  report once = given_run();
  once.tasks.at(0).lines.at(0) = given::line_of("riffle", "a", {1.5});  // 0.1 before
  save("a", given_run());
  save("slower", given_run(1.12, 1.3));
  save("once", once);
  save("empty", {});
  struct row {
    const char* arguments;
    int status;
  };
  for (const row& each : {row{"a slower", 0},
                          {"a slower --fail-on 10%", 1},
                          {"a slower --fail-on 0.1", 1},
                          {"a slower --fail-on 11.9%", 1},
                          {"a slower --fail-on 13%", 0},
                          {"slower a --fail-on 0%", 0},
                          {"--fail-on 10% a a slower a", 1},
                          {"a once", 0},
                          {"a once --fail-on 10%", 3},
                          {"once a --fail-on 10%", 3},
                          {"a once slower --fail-on 10%", 1},
                          {"a empty", 1},
                          {"a a empty", 1},
                          {"", 2},
                          {"a", 2}})
    EXPECT_EQ(compare(each.arguments).status, each.status) << each.arguments;
  EXPECT_THAT(compare("a once slower").out, testing::AllOf(HasSubstr("UNDECIDED: "), HasSubstr("1.12x")));
}

TEST_F(bench_compare_tool, wants_a_fraction_or_a_percentage) {
  save("a", given_run());
  for (const char* share : {"10", "ten", "-5%", "nan", "10%%", "inf"}) {
    const test::shell_result refused = compare(std::string("a a --fail-on=") + share);
    EXPECT_EQ(refused.status, 2) << share;
    EXPECT_THAT(refused.err, HasSubstr("(see riffle bench compare --help)"));
    EXPECT_THAT(refused.err, HasSubstr("write 10% or 0.1")) << share;
  }
}

TEST_F(bench_compare_tool, names_a_file_that_is_no_result) {
  save("a", given_run());
  const auto refusal_of = [&](const char* file) {
    const test::shell_result refused = compare(std::string("a ") + file);
    EXPECT_EQ(refused.status, 1);
    return refused.err;
  };
  EXPECT_THAT(refusal_of("nowhere"), HasSubstr("'nowhere'"));
  EXPECT_THAT(refusal_of("<(head -c 900 a)"),
              HasSubstr("at byte 900: it is not JSON; make the file with riffle bench --json"));
  EXPECT_THAT(refusal_of("<(echo text)"),
              HasSubstr("at byte 1: it is not JSON; make the file with riffle bench"));
  EXPECT_THAT(refusal_of("<(sed 's/\"rounds\": */&\"x\"/' a)"), Not(HasSubstr("json.")));
  EXPECT_THAT(refusal_of("/dev/zero"), HasSubstr("'/dev/zero': it is larger than 64 MiB"));
}

TEST_F(bench_compare_tool, reads_a_pipe_as_a_file) {
  save("a", given_run());
  const test::shell_result same = compare("a - --all < <(cat a)");
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_THAT(same.out, HasSubstr("\nB: 11 unchanged.\n"));
}

}  // namespace riffle::bench
