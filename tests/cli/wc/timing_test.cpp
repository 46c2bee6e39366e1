/// `riffle wc --timing`: what is said of times that are given, and of runs whose bound is known.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>

#include "cli/wc/timing.hpp"
#include "tests/support/build.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

using cli::bound_of;
using cli::run_timing;
using cli::timing_row;
using cli::timing_text;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;

TEST(bound_of, names_the_largest_part) {
  struct {
    run_timing run;
    const char* bound;
  } const rows[] = {
      {{.seconds = 1}, "rest"},
      {{.seconds = 1, .reading = .1, .decoding = .2, .scanning = .2}, "rest"},
      {{.seconds = 1, .reading = .6, .decoding = .2, .scanning = .1}, "reading"},
      {{.seconds = 1, .reading = .6, .waiting = .2, .scanning = .1, .piped = true}, "reading"},
      {{.seconds = 1, .reading = .6, .waiting = .5, .scanning = .1, .piped = true},
       "program before the pipe"},
      {{.seconds = 1, .reading = .6, .waiting = .5, .scanning = .1}, "storage"},
      {{.seconds = 1, .reading = .3, .waiting = .3, .decoding = .4, .piped = true}, "decoding"},
      {{.seconds = 1, .reading = .3, .decoding = .3, .scanning = .4}, "scanning"},
      {{.seconds = 1, .reading = .5, .decoding = 1.5, .scanning = 1}, "decoding"},
  };
  for (const auto& row : rows) EXPECT_EQ(bound_of(row.run), row.bound);
}

TEST(timing_text, has_the_share_of_each_part) {
  EXPECT_EQ(
      timing_text({.seconds = 5, .reading = 4.6, .waiting = 4.5, .scanning = .3, .piped = true}),
      "5.00 s: reading 4.60 s (92 %), scanning 300 ms (6 %); 0 page faults, 0 of them waited for storage\n"
      "waited for input 90 %: the program before the pipe bounds it");
  EXPECT_EQ(
      timing_text({.seconds = 1,
                   .reading = .5,
                   .decoding = 1.2,
                   .scanning = .3,
                   .page_faults = 1030,
                   .faults_of_storage = 12}),
      "1.00 s: reading 500 ms (25 %), decoding 1.20 s (60 %), scanning 300 ms (15 %), added over threads; "
      "1,030 page faults, 12 of them waited for storage\ndecoding bounds it");
  EXPECT_THAT(timing_text({.seconds = 1, .reading = .9, .waiting = .8}),
              EndsWith("\nwaited for input 80 %: storage bounds it"));
  EXPECT_THAT(timing_text({.seconds = 1, .reading = .9}), EndsWith("\nreading bounds it"));
  EXPECT_THAT(timing_text({.seconds = 1, .scanning = .9}), EndsWith("\nscanning bounds it"));
  EXPECT_THAT(timing_text({.seconds = 1, .scanning = .1}),
              EndsWith("\nstarting, printing and the rest took most"));
  EXPECT_THAT(timing_text({}), HasSubstr("reading 0 ns (0 %)"));
}

TEST(timing_row, is_an_object) {
  const auto row = nlohmann::json::parse(timing_row({.seconds = 2,
                                                     .reading = 1.5,
                                                     .waiting = 1.25,
                                                     .decoding = .25,
                                                     .scanning = .125,
                                                     .page_faults = 7,
                                                     .faults_of_storage = 1}));
  const auto expected = nlohmann::json::parse(
      R"({"timing":true,"seconds":2,"reading":1.5,"waiting":1.25,"decoding":0.25,"scanning":0.125,
          "page_faults":7,"page_faults_of_storage":1,"bound":"storage"})");
  EXPECT_EQ(row, expected);
}

// The writer sleeps for nearly all of the time. Once the first bytes came, riffle is there.
TEST(timing, says_that_the_program_before_the_pipe_bounds_it) {
  constexpr const char* slow = "for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.1; done | ";
  for (const char* const command : {"$riffle wc -l --timing", "$riffle wc --timing", "$riffle wc -c --timing",
                                    "$riffle wc -m --timing", "$riffle wc --timing --threads 2"}) {
    const shell_result run = shell(slow + std::string(command));
    EXPECT_EQ(run.status, 0);
    EXPECT_THAT(run.err,
                MatchesRegex("riffle: .*s: reading .*\nriffle: waited for input [0-9]+ %: the program "
                             "before the pipe bounds it\n"))
        << command;
    EXPECT_EQ(run.out,
              shell(slow + std::string(command).replace(std::string(command).find(" --timing"), 9, "")).out);
  }
}

TEST(timing, is_that_of_decoding_for_a_compressed_file) {
  const temporary_directory folder;
  const std::string file = folder.path().string() + "/text.xz";
  if (shell("seq 1000000 | xz -1 > " + file).status != 0) GTEST_SKIP() << "there is no xz";
  for (const char* const threads : {"1", "2"}) {
    const shell_result run =
        shell("$riffle wc -l --timing --decompress --threads " + std::string(threads) + " " + file);
    EXPECT_EQ(run.out, "1000000 " + file + "\n");
    EXPECT_THAT(run.err, HasSubstr("decoding bounds it")) << run.err;
  }
}

TEST(timing, is_of_all_files_and_the_last_row_of_json) {
  const temporary_file file(numbered_lines(1000));
  const std::string name = file.path().string();
  const shell_result run = shell("$riffle wc -l --json --timing " + name + " " + name + " /missing");
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.err, "riffle: cannot open '/missing': No such file or directory\n");
  EXPECT_EQ(std::ranges::count(run.out, '\n'), 4);
  const auto last = nlohmann::json::parse(run.out.substr(run.out.rfind('\n', run.out.size() - 2) + 1));
  EXPECT_EQ(last.at("timing"), true);
  EXPECT_GT(last.at("seconds"), 0.0);
  EXPECT_LT(last.at("scanning"), last.at("seconds"));
  for (const char* const list : {"printf %s\\\\0 ", "printf %s "}) {
    const shell_result listed = shell(list + name + " | $riffle wc -l --timing --files0-from=-");
    EXPECT_EQ(listed.out, "1000 " + name + "\n");
    EXPECT_THAT(listed.err, AllOf(HasSubstr("riffle: "), HasSubstr(" page faults, ")));
  }
}

TEST(timing, is_nothing_unless_asked_for_and_spelled_in_full) {
  expect_rows({{"$riffle wc a", " 2  3 10 a\n"},
               {"$riffle wc --tim a", "", HasSubstr("--tim"), 1},
               {"wc --timing a", " 2  3 10 a\n", MatchesRegex("wc: .* page faults.*\nwc: .*\n")}});
}

}  // namespace
}  // namespace riffle::test
