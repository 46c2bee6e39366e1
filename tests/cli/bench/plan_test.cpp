/// `riffle bench --plan` races commands and workers, names those that fail, and ranks the others.
#include <gmock/gmock.h>

#include "tests/support/shell.hpp"

namespace riffle::test {

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

auto says(const char* text) {
  return HasSubstr(text);
}
const auto anything = testing::_;

// Two contenders that answer 7, and one by these fields. Two rounds end long before so many seconds.
std::string race_with(const std::string& fields, const std::string& seconds = "30") {
  return R"(printf '%s' '{"rounds":2,"seconds":)" + seconds +
         R"(,"tables":[{"name":"n","title":"count","contenders":[)"
         R"({"name":"own","ours":true,"command":["echo","7"]},{"name":"stays","worker":["sh","-c",)"
         R"("while read line; do echo 1000000 4096 7.0; done"]},{"name":"w",)" +
         fields + "}]}]}' | $riffle bench --plan 0";
}

std::string worker(const std::string& script, const std::string& seconds = "30") {
  return race_with(R"("worker":["sh","-c",")" + script + R"("])", seconds);
}

}  // namespace

TEST(bench_plan, ranks_commands_and_workers_and_names_those_that_fail) {
  const auto fails = [](const char* why) { return AllOf(says("n on no files: w "), says(why)); };
  const std::string answers_a_7 =
      R"("worker":["sh","-c","while read line; do echo 1000 0 a 7.0; done"],"answer":)";
  expect_rows({
      {race_with(R"("command":"echo a 7; echo","answer":[0])"),
       AllOf(says("own"), says("4.0 KiB"), says("w "))},
      {race_with(R"("command":["printenv","é"],"environment":{"é":"7.00"})"), says("w ")},
      {race_with(R"("command":"basename $PWD","directory":"/usr","answer":"none")"), says("w ")},
      {race_with(R"("missing":"install w")"), says("install w")},
      {race_with(R"("before":true,"command":["echo","7"])"),
       AllOf(says("1 table in about 30 s, if one run of each contender fits\n"),
             says("rounds beside w: 2 of 18."), says("Each table needs a plan of 18 rounds on"))},
      {race_with(R"("command":["echo","8"])"), says("own"), fails("answers '8', where `own` answers '7'"), 1},
      {race_with(R"("command":["echo","a"])"), anything, fails("where that of `own` has"), 1},
      {race_with(R"("command":["echo","a"],"answer":[1])"), anything,
       fails("no such numbers in its last line 'a'"), 1},
      {race_with(R"("command":["no-such-program"])"), anything,
       fails("failed: cannot start 'no-such-program': No such"), 1},
      {"ulimit -n 12; " + worker("exit"), anything, fails("Too many open files"), 1},
      {worker("while read line; do echo 1000 0; done"), says("w ")},
      {worker("while read line; do echo 1000 0 8; done"), anything,
       fails("answers '8', where `own` answers '7'"), 1},
      {worker("i=6; while read line; do i=$((i + 1)); echo 1000 0 $i; done"), anything,
       fails("answers '8', but answered '7' before"), 1},
      {race_with(answers_a_7 + "[0]"), says("w ")},
      {race_with(answers_a_7 + "[2]"), anything, fails("no such numbers in its answer 'a 7.0'"), 1},
      {worker("read line; echo why >&2; exit 3"), anything,
       fails("failed: its process ended: exit status 3: why\n"), 1},
      {worker("exec >&-; sleep 99"), anything, fails("failed: its process ended"), 1},
      {worker("sleep 99", "0.3"), anything, fails("failed: a run takes longer than 0.3 s"), 1},
      {worker("read line; echo error no memory"), anything, fails("failed: no memory\n"), 1},
      {worker("read line; echo 0 0 7"), anything,
       fails("answers '0 0 7', not NANOSECONDS PEAK_BYTES ANSWER\n"), 1},
      {worker(R"(read line; printf \"5 5 7\\n5 5 7\\n\")"), anything,
       fails("failed: answers more than a line\n"), 1},
      {worker("yes | tr -d y"), anything, fails("failed: "), 1},
      {worker("head -c 9999999 /dev/zero >&2; while read line; do echo 1000 0 7; done"), says("w ")},
  });
}

TEST(bench_plan, that_is_long_does_not_show_in_the_peak_of_a_command) {
  expect_rows(
      {{R"({ printf '{"rounds":2,"title":"'; head -c 120000000 /dev/zero | tr '\0' x; printf '%s' )"
        R"('","tables":[{"name":"n","title":"t","contenders":[{"name":"c","command":["true"]}]}]}'; } )"
        R"(| $riffle bench --plan 0)",
        AllOf(says("peak"), Not(testing::ContainsRegex("[0-9][0-9][0-9]\\.[0-9] MiB")))}});
}

TEST(bench_plan, is_all_that_is_measured) {
  for (const char* more : {"a", "--time 3", "--list", "--cache hot", "-- true"})
    expect_rows({{std::string("$riffle bench --plan 0 ") + more, "", says("--plan takes no FILE"), 2}});
  expect_rows({{"$riffle bench --plan 77", "", says("descriptor 77"), 1},
               {"$riffle bench --plan -1", "", says("--plan"), 2},
               {"echo 3 | $riffle bench --plan 0", "", says("the plan must be an object"), 2}});
}

}  // namespace riffle::test
