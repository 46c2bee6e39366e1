/// `riffle bench` and `riffle advise` print what they measure, in every form, until they are interrupted.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

using testing::_;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Ne;
using testing::Not;
using testing::StartsWith;

const std::string no_space = "riffle: cannot write 'standard output': No space left on device\n";

TEST(tool, prints_no_name_that_a_terminal_would_obey) {
  const std::string setting = "name=$PWD/$'a\\x1b[31m\\n\\xE2\\x80\\xAE'";
  if (shell("command -v script").status != 0)
    GTEST_SKIP() << "script(1), which makes a terminal, is not here";
  expect_rows({{"echo > \"$name\"; export name TERM=xterm NO_COLOR=1; script -qec '$riffle bench --task gc "
                "--rounds 1 --contender riffle/read \"$name\"' /dev/null",
                AllOf(HasSubstr("gc on a?[31m?\?"), Not(HasSubstr("a\x1b[31m"))), _}},
              setting);
}

TEST(tool, benches_the_files_given) {
  const temporary_file file(patterned_bytes(100000));
  expect_rows(
      {{"$riffle bench --task gc --task lines --contender 'riffle/*' --rounds 1 $name",
        AllOf(HasSubstr("gc:"), HasSubstr("lines:"),
              HasSubstr("\n2 tables in about 100 s, if one run of each contender fits; --time changes it\n")),
        _}},
      "name=" + file.path().string());
}

TEST(tool, writes_the_bench_in_every_form) {
  const temporary_file file(patterned_bytes(10000));
  const temporary_directory directory;
  const std::string saved = (directory.path() / "new" / "results").string();
  expect_rows(
      {{"$bench --save $saved $name && [ $(find $saved/bench.{json,md,html} -size +500c | wc -l) = 3 ]",
        EndsWith("The whole report: " + saved + "/bench.html\n"), _},
       {"$bench --json - $name", StartsWith("{\n\"schema\""), _},
       {"$bench --save $saved $name", _, _},          // its own reports it writes anew
       {"$bench --markdown /nowhere/x.md $name", "",  // before anything was measured
        "riffle: cannot write '/nowhere/x.md': No such file or directory\n", 1}},
      "name=" + file.path().string() + " saved=" + saved +
          "; bench=\"$riffle bench --task gc --contender riffle/read,riffle/mmap --rounds 1\"");
}

TEST(tool, writes_the_forms_that_it_can) {
  const temporary_file file(patterned_bytes(10000));
  const std::string lost = "riffle: cannot write '/dev/full': No space left on device\n";
  expect_rows({{"$bench --json /dev/full --markdown x.md --html /dev/full $name",
                Not(HasSubstr("The whole report")), lost + lost, 1},
               {"$bench --json /dev/full --markdown x.md --html /dev/full $name > out; find x.md -size +300c",
                "x.md\n", _},
               {"$bench --markdown x.md $name > /dev/full", "", HasSubstr(no_space), 1}},
              "name=" + file.path().string() +
                  "; bench=\"$riffle bench --task gc --contender riffle/read --rounds 1\"");
}

// The signal comes once there is output.
TEST(tool, loses_nothing_when_its_terminal_or_reader_goes) {
  const std::string left = "; grep -c '\"complete\": false' x.json; ls t";
  expect_rows({{"$bench --time 60 > >(read -r; sleep 1; kill -HUP $(cat pid); cat > out) & echo $! > pid; "
                "wait $!; echo $?" +
                    left,
                "129\n1\n", _},
               {"trap '' HUP; $riffle bench --task gc --contender riffle/read --size 1M --rounds 1 > >(read "
                "-r; kill -HUP $(cat pid); cat > out) & echo $! > pid; wait $!",  // as nohup(1) does
                _, _},
               {"$bench --time 1 | head -1 > out; echo ${PIPESTATUS[0]}" + left, "1\n1\n",
                HasSubstr("cannot write 'standard output': Broken pipe")},
               {"$riffle bench reproduce mapped --size 64K --time 1 | true; ls t", "",
                EndsWith("riffle: cannot write 'standard output': Broken pipe\n")}},
              "mkdir t; export TMPDIR=t; bench='env --default-signal=HUP '$riffle' bench --task gc,lines "
              "--size 1M --rounds 100000 --json x.json'");
}

TEST(tool, reports_what_was_measured_until_it_was_interrupted) {
  // A run of a minute at least. timeout(1) signals the program and then its group, which is twice the same.
  expect_rows(
      {{"timeout --preserve-status -s INT 3 $riffle bench --size 1M --time 60 --json x; echo $?; grep -c "
        "'\"complete\": false' x",
        EndsWith("\n130\n1\n"), "riffle bench: not complete: interrupted\n"}});
}

TEST(tool, reproduces_the_programs_named) {
  expect_rows({{"$riffle bench reproduce ioaccess mapped --size 64K --time 1 --seed 7",
                AllOf(HasSubstr("ioaccess:"), HasSubstr("mapped:"), Not(HasSubstr("nvwa"))), _}});
}

TEST(tool, sweeps_sizes_in_steps_of_four_up_to_the_end) {
  const command_row row{
      "$riffle bench --task primes --contender riffle/read --rounds 1 --json - --size {} | grep -o "
      "'\"bytes\":[0-9]*,\"made' | sort -u | wc -l",
      "3\n", _};
  expect_each({"4K..32K"}, row);
  expect_each({"4K,8K,8K --block-size 4K,4K --threads 1,1"}, {row.command, "2\n", _});
  expect_each({"8..8"}, {row.command, "1\n", _});
}

TEST(tool, colours_nothing_that_is_no_terminal) {
  const std::string bench = "$riffle bench --task gc --contender riffle/read --rounds 1 --size 4K";
  expect_rows({{bench + " | grep -c $'\\033' || true", "0\n", _}});
  const std::string on_terminal = "script -qec \"" + bench + "\" /dev/null | grep -c $'\\033\\[' || true";
  if (shell("command -v script").status != 0)
    GTEST_SKIP() << "script(1), which makes a terminal, is not here";
  expect_rows(
      {{"TERM=xterm " + on_terminal, Ne("0\n"), _}, {"NO_COLOR=1 TERM=xterm " + on_terminal, "0\n", _}});
}

TEST(tool, advises_with_reasons_and_options) {
  expect_rows({{"$riffle advise a; $riffle advise - < <(echo)",
                AllOf(HasSubstr("the file is smaller than 8 MiB"),
                      HasSubstr("{.method = riffle::method::read, .block_size = 256 << 10}"),
                      HasSubstr("--method read --block-size 256K"),
                      HasSubstr("a pipe, socket or device cannot be mapped")),
                _}});
}

TEST(tool, measures_whether_its_advice_is_right) {
  const temporary_file file(patterned_bytes(100000));
  const shell_result result = shell("$riffle advise --measure --time 0.2 " + file.path().string());
  // On a busy machine another method may happen to win, or too few runs fit into the time.
  EXPECT_TRUE(result.status <= 1 || result.status == 3) << result.status << result.err;
  for (const char* part : {"> ", "automatic", "read 64K", "mmap", "\nThe automatic choice "})
    EXPECT_THAT(result.out, HasSubstr(part));
}

TEST(tool, evicts_a_file_before_it_chooses_how_to_read_it_cold) {
  const temporary_file file(patterned_bytes(16 << 20));
  const shell_result result =
      shell("$riffle advise --measure --cache hot,cold --time 0.3 " + file.path().string());
  if (result.err.find("cannot evict") != std::string::npos) GTEST_SKIP() << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("hot: in the page cache"), HasSubstr("in cache     100 %"),
                                HasSubstr("in cache     0 %")));
  const std::size_t cold = result.out.find("cold: evicted");
  ASSERT_NE(cold, std::string::npos) << result.out;
  EXPECT_THAT(result.out.substr(cold), HasSubstr(" mmap ")) << "every method has its row";
}

TEST(tool, advise_describes_the_machine_when_there_is_no_file) {
  expect_rows({{"$riffle advise < /dev/null", AllOf(Ne(""), Not(HasSubstr("standard input"))), _}});
}

}  // namespace
}  // namespace riffle::test
