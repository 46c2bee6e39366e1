/// Ctrl-C ends the tool by the signal, whatever it waits for, after the rows that are complete.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <deque>

#include "tests/cli/progress/terminal_run.hpp"
#include "tests/support/mounts.hpp"

namespace riffle::test {
namespace {

constexpr char ctrl_c = '\x03';

TEST(ctrl_c, ends_each_command_on_a_pipe_that_is_silent_and_leaves_a_clean_terminal) {
  const std::vector<std::vector<std::string>> commands{
      {"wc"},
      {"wc", "-mL", "--threads=1"},
      {"count", "--byte", "A"},
      {"count", "--byte", "A", "--per-line", "--threads", "2"},
      {"count", "--fasta"},
      {"count", "--fastq"},
      {"sum", "--type", "u8", "--stats"},
      {"sum", "--column", "1"},
      {"freq"},
      {"freq", "--words", "--threads", "2"},
      {"cat"},
      {"cat", "--number", "--tail", "1"}};
  std::deque<running_tool> tools;
  for (const std::vector<std::string>& words : commands)
    tools.emplace_back(words, running_tool::surroundings{.terminal = true});
  for (std::size_t i = 0; i != tools.size(); ++i) {
    SCOPED_TRACE(testing::PrintToString(commands[i]));
    const std::string& option = commands[i].back();
    const std::string line = option == "--fasta" ? ">\n" : option == "--fastq" ? "@\n" : "1\n";
    tools[i].feed(line);
    tools[i].wait_for("2 B, ");
    tools[i].press(ctrl_c);
    EXPECT_TRUE(died_of(tools[i].wait(), SIGINT));
    EXPECT_EQ(tools[i].screen(), "");
    EXPECT_EQ(tools[i].out(), commands[i] == std::vector<std::string>{"cat"} ? "1\n" : "");
  }
}

TEST(ctrl_c, comes_after_the_rows_of_the_files_before) {
  const temporary_file first("a b\n");
  const std::string name = first.path().string();
  for (const bool terminal : {false, true}) {
    running_tool wc({"wc", name, name, "/missing", "-"}, {.terminal = terminal});
    wc.feed("c\n");
    wc.send(SIGTERM);
    EXPECT_TRUE(died_of(wc.wait(), SIGTERM));
    const std::string row = "      1       2       4 " + name + "\n";
    EXPECT_EQ(wc.out(), row + row);
    EXPECT_EQ(wc.err() + wc.screen(),
              std::string("riffle: cannot open '/missing': No such file or directory\n"));
  }
}

TEST(ctrl_c, comes_after_rows_of_many_files_that_would_fit_one_write) {
  const temporary_file large(std::string(16 << 20U, 'x'));
  std::vector<std::string> words{"wc", "--json", "-mL", "--threads", "1"};
  words.resize(words.size() + 300, large.path().string());
  running_tool wc(words, {});
  wc.wait_for_row();
  EXPECT_LT(wc.out().size(), 2048U);
  wc.send(SIGINT);
  EXPECT_TRUE(died_of(wc.wait(), SIGINT));
  EXPECT_TRUE(wc.out().ends_with("}\n")) << wc.out();
}

TEST(ctrl_c, comes_after_the_sequences_that_were_read_so_far) {
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  std::string sequences;
  for (int i = 0; i != 32; ++i) sequences += ">name\n" + std::string(256 << 10U, 'A') + "\n";
  const slow_file slow(sequences, {"--bandwidth=4M"});
  running_tool count({"count", "--fasta", slow.path().string()}, {});
  count.wait_for_row();
  count.send(SIGINT);
  EXPECT_TRUE(died_of(count.wait(), SIGINT));
  EXPECT_LT(std::ranges::count(count.out(), '\n'), 32);
}

TEST(ctrl_c, ends_the_loop_of_a_shell) {
  running_tool loop({"/bin/bash", "-c", "for i in 1 2; do $riffle wc -l; done; echo survived"},
                    {.terminal = true});
  loop.feed("x\n");
  loop.wait_for("2 B, ");
  loop.press(ctrl_c);
  EXPECT_TRUE(died_of(loop.wait(), SIGINT));
  EXPECT_EQ(loop.out(), "");
  EXPECT_EQ(loop.screen(), "");
}

TEST(ctrl_c, that_was_ignored_or_blocked_at_the_start_stays_so) {
  const auto block = [] {
    sigset_t only{};
    sigemptyset(&only);
    sigaddset(&only, SIGINT);
    ::sigprocmask(SIG_BLOCK, &only, nullptr);
  };
  for (const std::function<void()>& before :
       {std::function<void()>([] { ::signal(SIGINT, SIG_IGN); }), {block}}) {
    running_tool wc({"wc", "-l"}, {.terminal = true, .before = before});
    wc.feed("x\n");
    wc.send(SIGINT);
    wc.feed("y\n");
    wc.end_input();
    EXPECT_EQ(wc.wait(), 0);
    EXPECT_EQ(wc.out(), "2\n");
    EXPECT_EQ(wc.screen(), "");
  }
}

TEST(ctrl_c, ends_the_tool_although_no_one_reads_what_it_prints) {
  const temporary_file text("a\n");
  std::vector<std::string> words{"wc", "--progress"};
  words.resize(5000, text.path().string());  // more rows than a pipe holds
  running_tool wc(words, {.terminal = true, .rows_in_pipe = true});
  wc.wait_until_it_has_threads();
  wc.wait_until_it_waits();
  wc.press(ctrl_c);
  EXPECT_TRUE(died_of(wc.wait_unread(), SIGINT));
}

// There, the OS kernel runs no signal handler in a thread that reads.
TEST(ctrl_c, ends_the_tool_on_storage_that_stopped_answering) {
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  const slow_file slow(std::string(24 << 20U, 'x'), {"--bandwidth=1M"});
  std::vector<method> used = usable_methods();
  // Past the page cache, even SIGKILL waits for an answer; a ring reads in threads of the OS kernel.
  if (std::ranges::find(used, method::uring) == used.end()) std::erase(used, method::direct);
  std::deque<running_tool> tools;
  std::vector<std::string> names;
  for (const method each : used) {
    for (const char* const threads : {"1", "2"}) {
      names.push_back(std::string(name_of(each)) + " " + threads);
      const std::vector<std::string> words{"wc",        "--method", std::string(name_of(each)),
                                           "--threads", threads,    slow.path().string()};
      tools.emplace_back(words, running_tool::surroundings{.terminal = true});
    }
  }
  for (running_tool& each : tools) each.wait_for("24.0 MiB (");
  slow.freeze();
  for (const running_tool& each : tools) each.press(ctrl_c);
  for (std::size_t i = 0; i != tools.size(); ++i) {
    SCOPED_TRACE(names[i]);
    EXPECT_TRUE(died_of(tools[i].wait(), SIGINT));
    EXPECT_EQ(tools[i].screen(), "");
  }
}

}  // namespace
}  // namespace riffle::test
