/// A file that is both input and output is refused where reading it would never end, or would destroy it.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/shell.hpp"

namespace riffle::test {
namespace {

TEST(own_output, is_not_copied_behind_itself) {
  const std::string setting = "printf 1 > f; printf 2 > g; ln f link; riffle=\"timeout 10 $riffle\"";
  const std::string refused =
      "riffle: cannot copy 'f': the input file is the output file; write to another file\n";
  expect_each({"cat f >> f", "cat --lines f >> f", "cat f >> link"}, {"$riffle {}; cat f", "1", refused},
              setting);
  expect_each({"cat -n f 1<> f", "cat --tsv --columns 1,1 f 1<> f"},
              {"ulimit -f 1000; $riffle {}; cat f", "1", refused}, setting);
  expect_rows(
      {{"$riffle cat f g f >> f; echo $?; cat f", "1\n12", refused + refused},
       {"$riffle cat g f > f; cat f", "2", refused},
       {"$riffle cat < f >> f", "",
        "riffle: cannot copy 'standard input': the input file is the output file; write to another file\n",
        1},
       {"$riffle cat f 1<> f"},  // where it stands, it writes what was read
       {"$riffle cat -n f > f; cat f"},
       {"$riffle cat /dev/null > f; $riffle cat f >> f"},  // its end is not behind it
       {"$riffle wc -c f >> f; cat f", "11 f\n"},
       {"$riffle cat -n f >&-", "", "riffle: cannot write 'standard output': Bad file descriptor\n", 1},
       {"$riffle cat /dev/null > /dev/null"}},
      setting);
}

TEST(own_output, is_not_measured) {
  expect_rows(
      {{"echo kept > f; $riffle bench --task gc --rounds 1 f >> f; echo $? && cat f", "2\nkept\n",
        testing::HasSubstr("standard output would go into 'f'")},
       {"$riffle bench --json x --task gc > x", "", testing::HasSubstr("'x', which is standard output"), 2}});
}

}  // namespace
}  // namespace riffle::test
