/// What a terminal shows: the line of progress, and tables that are wider than the terminal.
#include <riffle/lines.hpp>

#include <gmock/gmock.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <initializer_list>
#include <string>
#include <system_error>
#include <vector>

#include "cli/reading.hpp"
#include "tests/cli/progress/terminal_run.hpp"
#include "tests/support/compress.hpp"
#include "tests/support/mounts.hpp"
#include "tests/support/support.hpp"
#include "text/shown.hpp"
#include "text/typed.hpp"

namespace riffle::test {
namespace {

using cli::progress_text;
using testing::HasSubstr;

constexpr std::uint64_t mib = 1 << 20;

TEST(progress_text, has_the_share_the_rate_and_the_time_left) {
  EXPECT_EQ(progress_text(512 * mib, 2048 * mib, 5, 80),
            "512.0 MiB of 2.0 GiB (25 %), 102.4 MiB/s, 0:15 left");
  EXPECT_EQ(progress_text(mib, 3724 * mib, 1, 80), "1.0 MiB of 3.6 GiB (0 %), 1.0 MiB/s, 62:03 left");
  EXPECT_EQ(progress_text(1, 3 << 20U, 4, 80), "1 B of 3.0 MiB (0 %), 0 B/s, 209715:08 left");
  EXPECT_EQ(progress_text(0, 1, 1, 80), "0 B of 1 B (0 %), 0 B/s");
}

TEST(progress_text, has_no_share_if_the_size_is_unknown_or_a_file_grew) {
  for (const std::uint64_t total : {std::uint64_t{0}, 4 * mib})
    EXPECT_EQ(progress_text(5 * mib, total, 5, 80), "5.0 MiB, 1.0 MiB/s");
}

TEST(progress_text, drops_its_last_parts_for_a_narrow_terminal) {
  const std::string all = "1.0 MiB of 2.0 MiB (50 %), 1.0 MiB/s, 0:01 left";
  const auto in_columns = [](std::size_t columns) { return progress_text(mib, 2 * mib, 1, columns); };
  EXPECT_EQ(in_columns(all.size()), all);
  EXPECT_EQ(in_columns(all.size() - 1), "1.0 MiB of 2.0 MiB (50 %), 1.0 MiB/s");
  EXPECT_EQ(in_columns(30), "1.0 MiB of 2.0 MiB (50 %)");
  EXPECT_EQ(in_columns(10), "");
}

TEST(progress, tells_how_much_of_all_regular_files_is_read) {
  const temporary_file small("0123456789");
  running_tool wc({"wc", "-l", small.path().string(), "/dev/stdin", small.path().string()},
                  {.terminal = true});
  wc.feed("x");
  wc.wait_for("11 B, ");  // the size of a pipe is not known
  wc.end_input();
  EXPECT_EQ(wc.wait(), 0);
}

TEST(progress, has_a_share_of_all_files_unless_they_take_long_to_look_at) {
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  const std::string text(24 << 20U, 'x');
  const slow_file slow(text, {"--bandwidth=1M", "--files=2"});
  const std::string folder = slow.path().parent_path().string();
  running_tool one({"wc", "-l", folder + "/1"}, {.terminal = true});
  running_tool both({"wc", "-l", folder + "/1", folder + "/2"}, {.terminal = true});
  running_tool redirected({"/bin/bash", "-c", "exec $riffle wc -l < " + folder + "/1"}, {.terminal = true});
  const slow_file far(text, {"--bandwidth=1M", "--files=3", "--latency=100000"});
  const std::string far_folder = far.path().parent_path().string();
  running_tool distant({"count", "--lines", far_folder + "/1", far_folder + "/2", far_folder + "/3"},
                       {.terminal = true});
  one.wait_for(" of 24.0 MiB (");
  both.wait_for(" of 48.0 MiB (");
  redirected.wait_for(" of 24.0 MiB (");
  distant.wait_for("B, ");
  EXPECT_EQ(distant.shown().find(" of "), std::string::npos) << distant.shown();
}

TEST(progress, tells_the_share_of_the_compressed_bytes_of_what_is_decoded) {
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  const auto gzip = std::ranges::find(containers(), "gzip", &container::name);
  ASSERT_NE(gzip, containers().end());
  if (const auto reason = missing(*gzip)) GTEST_SKIP() << *reason;
  const std::string compressed = gzip->member(random_text(12 << 20U, 1));
  const slow_file slow(compressed, {"--bandwidth=1M"});
  std::deque<running_tool> tools;
  for (std::vector<std::string> words : std::vector<std::vector<std::string>>{
           {"wc", "-z"}, {"count", "--lines", "--threads", "2"}, {"freq"}, {"cat", "-z"}}) {
    words.push_back(slow.path().string());
    tools.emplace_back(words, running_tool::surroundings{.terminal = true});
  }
  for (running_tool& each : tools) {
    each.wait_for(" of " + text::human_size(compressed.size()) + " (");
    each.wait_for(" left");
  }
}

TEST(progress, leaves_the_rows_of_files_that_threads_read_alone) {
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  const slow_file slow(std::string(1 << 20U, 'x'), {"--bandwidth=8M", "--files=16"});
  std::string rows;
  std::vector<std::string> words{"count", "--byte", "x", "--threads", "2"};
  for (int number = 1; number <= 16; ++number) {
    words.push_back((slow.path().parent_path() / std::to_string(number)).string());
    rows += "1048576 " + words.back() + "\n";
  }
  running_tool count(words, {.terminal = true, .rows_on_terminal = true});
  EXPECT_EQ(count.wait(), 0);
  EXPECT_THAT(count.shown(), HasSubstr("MiB/s"));
  EXPECT_EQ(count.screen(), rows + "16777216 total\n");
}

TEST(progress, leaves_rows_and_messages_on_the_same_terminal_alone) {
  running_tool wc({"wc", "-l", "-", "/missing"}, {.terminal = true, .rows_on_terminal = true});
  wc.feed("one\ntwo\n");
  wc.wait_for("8 B, ");
  wc.end_input();
  EXPECT_EQ(WEXITSTATUS(wc.wait()), 1);
  EXPECT_EQ(wc.screen(),
            "      2 -\nriffle: cannot open '/missing': No such file or directory\n      2 total\n");
}

TEST(progress, is_gone_before_a_message_that_is_shorter) {
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  const slow_file slow(std::string(9 << 20U, 'x'), {"--bandwidth=3M", "--eio-at=6000000"});
  const std::string start = "cd " + slow.path().parent_path().string() + "; exec -a wc $riffle 1";
  running_tool wc({"/bin/bash", "-c", start}, {.terminal = true});
  wc.wait_for(" of 9.0 MiB (");
  EXPECT_EQ(WEXITSTATUS(wc.wait()), 1);
  EXPECT_EQ(wc.screen(), "wc: 1: " + std::generic_category().message(EIO) + "\n");
}

TEST(progress, does_not_wait_for_a_terminal_that_is_stopped) {
  constexpr char ctrl_s = '\x13';
  running_tool wc({"wc", "-l"}, {.terminal = true});
  wc.feed("one\ntwo\n");
  wc.wait_for("8 B, ");
  wc.press(ctrl_s);
  ::usleep(300'000);  // so that the next line is due
  wc.end_input();
  EXPECT_EQ(wc.wait(), 0);
  EXPECT_EQ(wc.out(), "2\n");
}

TEST(progress, fits_a_narrow_terminal_and_one_that_becomes_narrow) {
  running_tool wc({"wc", "-l"}, {.terminal = true, .columns = 12});
  wc.feed("one\ntwo\n");
  wc.wait_for("8 B");
  wc.wait_for_more();
  EXPECT_EQ(wc.screen(), "8 B");  // the rate has no room
  wc.resize(40);
  wc.wait_for("8 B, ");
  wc.resize(6);
  const std::size_t wide = wc.shown().size();
  wc.wait_for("\r8 B", wide + 1);
  wc.wait_for_more();
  EXPECT_TRUE(wc.shown().ends_with("\r8 B  \r8 B")) << wc.shown();
  wc.end_input();
  EXPECT_EQ(wc.wait(), 0);
}

// Another program may write to the terminal, or the command does so itself.
TEST(progress, looks_where_standard_output_goes_unless_an_option_says_so) {
  const running_tool::surroundings file{.terminal = true};
  const running_tool::surroundings terminal{.terminal = true, .rows_on_terminal = true};
  const running_tool::surroundings pipe{.terminal = true, .rows_in_pipe = true};
  const running_tool::surroundings no_terminal{};
  const running_tool::surroundings background{.terminal = true, .background = true};
  const running_tool::surroundings dumb{.terminal = true, .before = [] { ::setenv("TERM", "dumb", 1); }};
  struct run {
    std::vector<std::string> words;
    const running_tool::surroundings& rows;
    bool shown;
  };
  const std::vector<run> runs{{{"wc"}, file, true},
                              {{"wc"}, terminal, true},
                              {{"wc"}, pipe, false},
                              {{"count", "--lines"}, pipe, false},
                              {{"sum", "--type", "u8"}, pipe, false},
                              {{"cat"}, pipe, false},
                              {{"cat"}, terminal, false},
                              {{"cat", "--number"}, terminal, false},
                              {{"cat"}, file, true},
                              {{"count", "--fasta"}, terminal, false},
                              {{"count", "--fasta"}, file, true},
                              {{"count", "--fastq"}, terminal, true},
                              {{"wc", "--progress"}, pipe, true},
                              {{"cat", "--progress"}, terminal, true},
                              {{"cat", "--no-progress", "--progress"}, pipe, true},
                              {{"wc", "--progress"}, no_terminal, false},
                              {{"wc", "--progress"}, background, false},
                              {{"wc", "--progress"}, dumb, false},
                              {{"wc", "--no-progress"}, file, false},
                              {{"sum", "--type", "u8", "--progress", "--no-progress"}, file, false}};
  std::deque<running_tool> tools;
  for (const run& each : runs) tools.emplace_back(each.words, each.rows);
  for (std::size_t i = 0; i != runs.size(); ++i) {
    const std::string& last = runs[i].words.back();
    tools[i].feed(last == "--fasta" ? ">\n" : last == "--fastq" ? "@\n" : "1\n");
  }
  ::usleep(1'700'000);
  for (std::size_t i = 0; i != runs.size(); ++i) {
    tools[i].end_input();
    tools[i].wait();
    const std::string shown = tools[i].shown() + tools[i].err();
    EXPECT_EQ(shown.find("2 B, ") != std::string::npos, runs[i].shown)
        << testing::PrintToString(runs[i].words) << shown;
  }
}

TEST(progress, of_a_command_that_measures_fits_a_narrow_terminal) {
  const temporary_file input("1\n");
  running_tool tool({"bench", "--task", "gc", "--rounds", "1", "--time", "0.1", input.path().string()},
                    {.terminal = true, .columns = 30});
  tool.wait();
  const std::string shown = tool.shown();
  EXPECT_THAT(shown, HasSubstr("\r"));
  for (std::size_t begin = 0; begin < shown.size();) {
    const std::size_t end = std::min(shown.find_first_of("\r\n", begin), shown.size());
    EXPECT_LT(text::columns_of(shown.substr(begin, end - begin)), 30U) << shown.substr(begin, end - begin);
    begin = end + 1;
  }
}

TEST(progress, of_a_command_that_measures_obeys_the_same_rules) {
  const temporary_file input("1\n");
  const std::vector<std::vector<std::string>> commands{
      {"bench", "--task", "gc", "--contender", "riffle/read", "--rounds", "1", "--time", "0.1",
       input.path().string()},
      {"advise", "--measure", "--time", "0.1", input.path().string()}};
  const auto shown_of = [](std::vector<std::string> words, const char* option, bool pipe) {
    if (option != nullptr) words.emplace_back(option);
    running_tool tool(words, {.terminal = true, .rows_in_pipe = pipe});
    tool.wait();
    return tool.shown();
  };
  for (const std::vector<std::string>& words : commands) {
    SCOPED_TRACE(words.front());
    EXPECT_THAT(shown_of(words, nullptr, false), HasSubstr("\r"));
    EXPECT_EQ(shown_of(words, nullptr, true), "");
    EXPECT_THAT(shown_of(words, "--progress", true), HasSubstr("\r"));
    EXPECT_EQ(shown_of(words, "--no-progress", false), "");
  }
}

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
