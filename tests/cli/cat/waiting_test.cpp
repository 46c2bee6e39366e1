/// What `riffle cat` has read, it writes before it waits for more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

using testing::_;

TEST(cat, writes_what_has_come_before_it_waits_for_more) {
  // The options, what comes out for "a\tb" and for "c\td", and its delimiter.
  std::vector<std::array<std::string, 4>> cases{
      {"", "a\tb", "c\td", "\\n"},
      {"--lines", "a\tb", "c\td", "\\n"},
      {"--max-length 100", "a\tb", "c\td", "\\n"},
      {"--number", "     1\ta\tb", "     2\tc\td", "\\n"},
      {"--strip-cr", "a\tb", "c\td", "\\n"},
      {"--to-delimiter ';'", "a\tb", "c\td", ";"},
      {"--tsv --columns 2", "b", "d", "\\n"},
      {"--tsv --columns 2 --threads 2", "b", "d", "\\n"},
      {"--columns 1 --quote '\"' --separator '\\t'", "a", "c", "\\n"},
      {"--head 5", "a\tb", "c\td", "\\n"},
      {"--range 1:", "a\tb", "c\td", "\\n"},
      {"--block-size 1", "a\tb", "c\td", "\\n"},
  };
  for (const method used : usable_methods(input_kind::stream)) {
    const std::string options = "--method " + std::string(name_of(used));
    cases.push_back({options, "a\tb", "c\td", "\\n"});
    cases.push_back({options + " --number", "     1\ta\tb", "     2\tc\td", "\\n"});
  }
  for (const auto& [options, first, second, delimiter] : cases) {
    expect_rows({{"coproc $riffle cat " + options +
                      "; out=${COPROC[0]} in=${COPROC[1]}; for line in 'a\tb' 'c\td'; do echo \"$line\" >&$in"
                      "; IFS= read -r -t 20 -d $'" +
                      delimiter + "' -u $out got && echo \"$got\" || exit 1; done; exec {in}>&-; wait",
                  first + "\n" + second + "\n", _}});
  }
}

TEST(cat, writes_the_start_of_a_line_at_once_unless_it_writes_whole_lines) {
  const auto expect = [](const std::string& options, const std::string& seconds, const std::string& got) {
    expect_rows({{"coproc $riffle cat " + options + "; printf abc >&${COPROC[1]}; read -r -t " + seconds +
                      " -N 3 -u ${COPROC[0]} got; echo \"$got\"",
                  got, _}});
  };
  expect("--lines", "0.3", "\n");
  expect("--max-length 100", "0.3", "\n");
  expect("", "20", "abc\n");
}

}  // namespace
}  // namespace riffle::test
