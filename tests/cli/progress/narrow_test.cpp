/// What is printed on a terminal that is narrower than a table.
#include <riffle/lines.hpp>

#include <gmock/gmock.h>

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

#include "tests/cli/progress/terminal_run.hpp"
#include "tests/support/support.hpp"
#include "text/columns.hpp"

namespace riffle::test {
namespace {

// Returns what the command prints, and checks that no line is wider than the terminal. Examples may be.
std::string shown_on(std::uint16_t columns, const std::vector<std::string>& words) {
  running_tool tool(words, {.terminal = true, .rows_on_terminal = true, .columns = columns, .before = [] {
                              ::setenv("NO_COLOR", "1", 1);
                            }});
  EXPECT_EQ(WEXITSTATUS(tool.wait()), 0);
  const std::string shown = tool.screen();
  for (const std::string_view line :
       lines(memory(std::string_view(shown).substr(0, shown.find("Examples:")))))
    EXPECT_LE(text::columns_of(line), columns) << line;
  return shown;
}

TEST(a_narrow_terminal, gets_the_columns_of_a_table_that_tell_most) {
  const temporary_file file(numbered_lines(3000));
  const std::vector<std::string> race{"bench",
                                      "--no-progress",
                                      "--task",
                                      "lines",
                                      "--contender",
                                      "riffle/read",
                                      "--time",
                                      "1",
                                      "--rounds",
                                      "3",
                                      file.path().string()};
  for (const std::uint16_t columns : std::initializer_list<std::uint16_t>{200, 79, 66, 58, 40}) {
    const std::string shown = shown_on(columns, race);
    EXPECT_THAT(shown, testing::HasSubstr("median")) << columns;
    EXPECT_THAT(shown, testing::HasSubstr(" read ")) << columns;
    EXPECT_EQ(shown.find("█") != std::string::npos, columns != 40) << shown;
    EXPECT_EQ(shown.find(" from ") != std::string::npos, columns != 40) << shown;
  }
}

TEST(a_narrow_terminal, gets_help_in_its_width) {
  for (const std::uint16_t columns : std::initializer_list<std::uint16_t>{79, 60, 40}) {
    EXPECT_THAT(shown_on(columns, {"wc", "--help"}), testing::HasSubstr("--threads")) << columns;
  }
}

}  // namespace
}  // namespace riffle::test
