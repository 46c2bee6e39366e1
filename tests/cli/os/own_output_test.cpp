/// A file that is both input and output is refused where reading it would never end, or would destroy it.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

TEST(own_output, is_not_copied_behind_itself) {
  const temporary_directory directory;
  const std::string in = "cd " + directory.path().string() +
                         " && printf 1 > f && printf 2 > g && ln -f f link && timeout 10 $riffle ";
  const std::string refused =
      "riffle: cannot copy 'f': the input file is the output file; write to another file\n";
  for (const char* line : {"cat f >> f; cat f", "cat --lines f >> f; cat f", "cat f >> link; cat f"}) {
    const shell_result result = shell(in + line);
    EXPECT_EQ(result.out, "1") << line;
    EXPECT_EQ(result.err, refused) << line;
  }
  const shell_result several = shell(in + "cat f g f >> f; echo $?; cat f");
  EXPECT_EQ(several.out, "1\n12");
  EXPECT_EQ(several.err, refused + refused);
  EXPECT_EQ(shell(in + "cat g f > f; cat f").out, "2");
  EXPECT_EQ(
      shell(in + "cat < f >> f").err,
      "riffle: cannot copy 'standard input': the input file is the output file; write to another file\n");
  EXPECT_EQ(shell(in + "cat f 1<> f").status, 0);  // where it stands, it writes what was read
  for (const char* line : {"cat -n f 1<> f; cat f", "cat --fields 1,1 f 1<> f; cat f"}) {
    const shell_result longer = shell("ulimit -f 1000; " + in + line);
    EXPECT_EQ(longer.out, "1") << line;
    EXPECT_EQ(longer.err, refused) << line;
  }
  EXPECT_EQ(shell(in + "cat -n f > f; cat f").out, "");
  EXPECT_EQ(shell(in + "cat /dev/null > f; $riffle cat f >> f").status, 0);  // its end is not behind it
  EXPECT_EQ(shell(in + "wc -c f >> f; cat f").out, "11 f\n");
  EXPECT_EQ(shell(in + "cat /dev/null > /dev/null").status, 0);
}

TEST(own_output, is_not_measured) {
  const temporary_directory directory;
  const std::string in = "cd " + directory.path().string() + " && echo kept > f && ";
  const shell_result input = shell(in + "$riffle bench --task gc --rounds 1 f >> f; echo $? && cat f");
  EXPECT_EQ(input.out, "2\nkept\n");
  EXPECT_NE(input.err.find("standard output would go into 'f'"), std::string::npos) << input.err;
  const shell_result report =
      shell("cd " + directory.path().string() + " && $riffle bench --json x --task gc > x");
  EXPECT_EQ(report.status, 2);
  EXPECT_NE(report.err.find("'x', which is standard output"), std::string::npos) << report.err;
}

}  // namespace
}  // namespace riffle::test
