/// Commands of the user's race, and what they write is compared.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/shell.hpp"

namespace riffle::test {

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A row's command follows the options of the shortest run.
void expect_race(const std::vector<command_row>& rows) {
  for (const command_row& row : rows)
    expect_each({row.command}, {"$riffle bench --rounds 1 {}", row.out, row.err, row.status});
}

auto says(const char* text) {
  return HasSubstr(text);
}
const auto anything = testing::_;

}  // namespace

TEST(racing_commands, are_run_as_they_are_written) {
  expect_race({
      {"-- : -- true", AllOf(says("no files"), says("runs/s"), says("CPU time"), says("peak"))},
      {"a b -- 'cat a b' -- cat a b", AllOf(says("2 files"), says("=    scan"), says("GB/s"))},
      {"-- printf '%s' \"it's\" -- 'printf \"it'\\''s\"'", says("printf")},
      {"-- echo --json --rounds -h -- 'echo --json --rounds -h'", says("echo")},
      {"-- true -- true", says("true #2")},
      {"$(for i in $(seq 40); do printf ' -- true'; done)", says("true #40")},
      {"-- cat -- 'cat -' -- true < /etc/passwd", says("cat -")},
      {"-- cat -- true <&-", says("cat")},
      {"-- 'sleep 9999 & echo x' -- 'echo x'", says("sleep")},
  });
}

TEST(racing_commands, end_the_race_if_one_fails) {
  constexpr const char* ends = "not complete: a command failed; --ignore-failure counts its runs\n";
  expect_race({
      {"-- true -- 'cat nothing >&2; echo two >&2; exit 3'", says("failed: "),
       AllOf(says("exit status 3: cat: nothing: No such file or directory; two\n"), says(ends)), 1},
      {"--ignore-failure -- true -- no-such-program x", anything,
       AllOf(says("failed: cannot start 'no-such-program': No such file or directory\n"),
             says("not complete: a command cannot be started\n")),
       1},
      {"-- no-such-program", anything, says("exit status 127: sh: "), 1},
      {"-- 'kill -9 $$'", anything, says("ended by a signal: Killed\n"), 1},
      {"--ignore-failure -- 'exit 3' -- 'kill -9 $$'", says("2 contenders failed in some runs or all"), "",
       0},
  });
}

// Those that never end, and one whose output is written on by a process that riffle cannot end.
TEST(racing_commands, end_with_the_time_of_the_race) {
  constexpr const char* late = "failed: a run takes longer than 0.3 s";
  expect_race({
      {"--time 0.3 -- true -- 'sleep 9999'", anything, says(late), 1},
      {"--time 0.3 --ignore-failure -- 'sleep 9999'", anything, says(late), 1},
      {"--time 0.3 -- yes -- yes", anything, says(late), 1},
      {"--time 0.3 -- 'trap \"\" TERM; yes'", anything, says(late), 1},
      {"--time 2 --any-output -- 'setsid timeout 9 yes & sleep 0.1'", anything, anything},
  });
}

TEST(racing_commands, have_to_write_the_same) {
  constexpr const char* ends = "not complete: outputs differ; --any-output lets them\n";
  const auto differ = [&](const char* text) { return AllOf(says(text), says(ends)); };
  expect_race({
      {"-- 'head -c 1048576 /dev/zero' -- 'head -c 1048575 /dev/zero; printf x'", anything,
       differ("its output has \"x\" at offset 1048575, where that of `head -c 1048576 /dev/zero` has"), 1},
      {"-- 'printf ab' -- 'printf abc'", anything,
       differ("its output has \"c\" at offset 2, where that of `printf ab` ends"), 1},
      {"-- 'printf abc' -- true", anything,
       differ("its output ends at offset 0, where that of `printf abc` has \"abc\""), 1},
      {"-- true -- 'printf a' -- 'printf a'", anything, differ("command/true its output ends at offset 0"),
       1},
      {"-- 'echo 0' -- true", anything, differ("its output ends at offset 0"), 1},
      {"-- 'echo x$$'", anything, differ("its output differs from run to run"), 1},
      {"-- 'echo $$'", anything, differ("', but answered '"), 1},
      {"-- 'echo 0.20' -- 'echo .2' -- 'echo 20e-2'", says("20e-2")},
      {"--any-output -- 'printf ab' -- 'echo $$'", says("echo $$")},
  });
}

TEST(racing_commands, take_no_option_of_a_task) {
  const auto refused = [](const char* command, const char* why) {
    return command_row{command, "", says(why), 2};
  };
  expect_race({
      refused("--", "no command after '--'"),
      refused("-- -- true", "no command after '--'"),
      refused("-- true -- ''", "no command after '--'"),
      refused("-- ' '", "no command after '--'"),
      refused("-- true -- --", "no command after '--'"),
      refused("--task gc -- true", "commands take no --task"),
      refused("--threads 2 a -- true", "commands take no --task"),
      refused("--any-output a", "need commands; write them after '--'"),
      refused("--cache cold -- true", "name them before '--'"),
      refused("--cache written a -- true", "use hot or cold"),
  });
}

TEST(racing_commands, give_the_reports_that_tasks_give) {
  expect_race({
      {"--json - a -- 'cat a'", AllOf(says("\"task\":\"commands\""), says("\"program\":\"command\""),
                                      says("\"failed_runs\":0"), says("\"answer\":{\"count\":10,"))},
      {"--save . a -- 'cat a' > out && grep -c 'cat a' bench.md bench.html", Not(says(":0\n"))},
  });
}

}  // namespace riffle::test
