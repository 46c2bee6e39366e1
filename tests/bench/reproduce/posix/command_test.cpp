/// The command `riffle bench reproduce`, as a shell runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/shell.hpp"

namespace riffle::bench {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

TEST(bench_reproduce_command, prints_the_tables_of_the_programs_named) {
  const riffle::test::shell_result ran =
      riffle::test::shell("$riffle bench reproduce ioaccess mapped --size 64K --time 1 --seed 7");
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("ioaccess:"), HasSubstr("mapped:"), Not(HasSubstr("nvwa"))));
  EXPECT_EQ(ran.err, "");  // no progress where nobody looks
}

TEST(bench_reproduce_command, refuses_what_it_does_not_know) {
  EXPECT_EQ(riffle::test::shell("$riffle bench reproduce iozone").status, 2);
  EXPECT_EQ(riffle::test::shell("$riffle bench reproduce --size 1K,2K").status, 2);
}

}  // namespace riffle::bench
