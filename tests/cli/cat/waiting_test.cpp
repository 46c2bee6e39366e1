/// What `riffle cat` has read, it writes before it waits for more.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

struct waiting_case {
  std::string options;
  std::string first;   // what comes out for "a\tb"
  std::string second;  // what comes out for "c\td"
  std::string delimiter = "\\n";
};

// Writes a line, waits until it comes out, and only then writes the next one.
shell_result two_lines_through(const waiting_case& each) {
  return shell("coproc $riffle cat " + each.options +
               "; out=${COPROC[0]} in=${COPROC[1]}"
               "; for line in 'a\tb' 'c\td'; do"
               " echo \"$line\" >&$in; IFS= read -r -t 20 -d $'" +
               each.delimiter +
               "' -u $out got && echo \"$got\" || exit 1; done"
               "; exec {in}>&-; wait");
}

TEST(cat, writes_what_has_come_before_it_waits_for_more) {
  std::vector<waiting_case> cases{
      {"", "a\tb", "c\td"},
      {"--lines", "a\tb", "c\td"},
      {"--max-length 100", "a\tb", "c\td"},
      {"--number", "     1\ta\tb", "     2\tc\td"},
      {"--strip-cr", "a\tb", "c\td"},
      {"--to-delimiter ';'", "a\tb", "c\td", ";"},
      {"--fields 2", "b", "d"},
      {"--fields 2 --threads 2", "b", "d"},
      {"--fields 1 --quote '\"' --field-delimiter '\\t'", "a", "c"},
      {"--head 5", "a\tb", "c\td"},
      {"--range 1:", "a\tb", "c\td"},
      {"--block-size 1", "a\tb", "c\td"},
  };
  for (const method used : usable_methods(input_kind::stream)) {
    const std::string options = "--method " + std::string(name_of(used));
    cases.push_back({options, "a\tb", "c\td"});
    cases.push_back({options + " --number", "     1\ta\tb", "     2\tc\td"});
  }
  for (const waiting_case& each : cases) {
    const shell_result found = two_lines_through(each);
    EXPECT_EQ(found.out, each.first + "\n" + each.second + "\n") << each.options << ": " << found.err;
    EXPECT_EQ(found.status, 0) << each.options;
  }
}

TEST(cat, writes_the_start_of_a_line_at_once_unless_it_writes_whole_lines) {
  const auto start_of_line = [](const std::string& options) {
    return shell("coproc $riffle cat " + options +
                 "; printf abc >&${COPROC[1]}"
                 "; read -r -t 0.3 -N 3 -u ${COPROC[0]} got; echo \"$got\"");
  };
  EXPECT_EQ(start_of_line("--lines").out, "\n");
  EXPECT_EQ(start_of_line("--max-length 100").out, "\n");
  const std::string at_once = shell(
                                  "coproc $riffle cat; printf abc >&${COPROC[1]}"
                                  "; read -r -t 20 -N 3 -u ${COPROC[0]} got; echo \"$got\"")
                                  .out;
  EXPECT_EQ(at_once, "abc\n");
}

}  // namespace
}  // namespace riffle::test
