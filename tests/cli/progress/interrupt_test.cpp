/// Ctrl-C prints what was counted so far, and ends the tool by the signal, whatever it waits for.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <deque>

#include "tests/cli/progress/terminal_run.hpp"
#include "tests/support/mounts.hpp"
#include "tests/support/shell.hpp"

namespace riffle::test {
namespace {

constexpr char ctrl_c = '\x03';

struct interrupted {
  std::vector<std::string> words;
  std::string err;
};

// All but the columns of `err` is the same.
void expect_prefix(const interrupted& what) {
  SCOPED_TRACE(testing::PrintToString(what.words));
  running_tool tool(what.words, {});
  tool.feed("one two\n");
  tool.feed("three");
  tool.send(SIGINT);
  EXPECT_TRUE(died_of(tool.wait(), SIGINT));
  EXPECT_EQ(tool.out(), "");
  EXPECT_EQ(tool.err(), what.err);
}

TEST(ctrl_c, prints_what_was_counted_of_a_pipe_that_is_silent) {
  expect_prefix({{"wc"}, "riffle: interrupted; counted so far:\n 1  3 13\n"});
  expect_prefix({{"wc", "-l", "-"}, "riffle: interrupted; counted so far:\n1 -\n"});
  expect_prefix({{"wc", "-mL", "--threads=1"}, "riffle: interrupted; counted so far:\n13  7\n"});
}

TEST(ctrl_c, prints_what_count_has_counted) {
  expect_prefix({{"count", "--any-of", "ot"}, "riffle: interrupted; counted so far:\n4\n"});
}

TEST(ctrl_c, says_that_a_sum_does_not_fit) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"sum", "--type", "u64"}, {"sum", "--type", "u64", "--stats"}}) {
    running_tool tool(words, {});
    tool.feed(std::string(16, '\xff'));
    tool.send(SIGINT);
    EXPECT_TRUE(died_of(tool.wait(), SIGINT));
    EXPECT_EQ(tool.out(), "");
    EXPECT_EQ(tool.err(), "riffle: interrupted; the sum does not fit u64\n");
  }
}

TEST(ctrl_c, prints_what_sum_has_added_up) {
  const temporary_file first("\1\2");
  const std::string name = first.path().string();
  const auto expect = [&](const std::vector<std::string>& words, const std::string& out,
                          const std::string& err) {
    running_tool tool(words, {});
    tool.feed("one");
    tool.send(SIGINT);
    EXPECT_TRUE(died_of(tool.wait(), SIGINT));
    EXPECT_EQ(tool.out(), out);
    EXPECT_EQ(tool.err(), "riffle: interrupted; added up so far:\n" + err);
  };
  expect({"sum", "--type", "u8"}, "", "322\n");
  expect({"sum", "--type", "u8", name, "-"}, "3 " + name + "\n", "325\n");
  expect({"sum", "--type", "u8", "--stats"}, "",
         "count\tmin\tmax\tsum\tmean\n3\t101\t111\t322\t107.33333333333333\n");
}

TEST(ctrl_c, ends_cat_without_words) {
  running_tool cat({"cat"}, {});
  cat.feed("one");
  cat.send(SIGINT);
  EXPECT_TRUE(died_of(cat.wait(), SIGINT));
  EXPECT_EQ(cat.err(), "");
  EXPECT_EQ(cat.out(), "one");
}

TEST(ctrl_c, before_the_first_byte_prints_zeros) {
  running_tool wc({"wc"}, {});
  wc.wait_until_it_has_threads();
  wc.wait_until_it_waits();
  wc.send(SIGINT);
  EXPECT_TRUE(died_of(wc.wait(), SIGINT));
  EXPECT_EQ(wc.err(), "riffle: interrupted; counted so far:\n0 0 0\n");
}

TEST(ctrl_c, comes_after_the_rows_of_the_files_before_and_adds_them_up) {
  const temporary_file first("a b\n");
  const std::string name = first.path().string();
  running_tool wc({"wc", name, name, "/missing", "-"}, {});
  wc.feed("c\n");
  wc.send(SIGTERM);
  EXPECT_TRUE(died_of(wc.wait(), SIGTERM));
  const std::string row = "      1       2       4 " + name + "\n";
  EXPECT_EQ(wc.out(), row + row);
  EXPECT_EQ(wc.err(),
            "riffle: cannot open '/missing': No such file or directory\n"
            "riffle: interrupted; counted so far:\n 1  1  2 -\n 3  5 10 total\n");
}

TEST(ctrl_c, on_a_terminal_clears_the_line) {
  running_tool wc({"wc", "-l"}, {.terminal = true, .rows_on_terminal = true});
  wc.feed("x\n");
  wc.wait_for("2 B, ");
  wc.press(ctrl_c);
  EXPECT_TRUE(died_of(wc.wait(), SIGINT));
  EXPECT_EQ(wc.screen(), "riffle: interrupted; counted so far:\n1\n");
}

TEST(ctrl_c, ends_the_loop_of_a_shell) {
  running_tool loop({"/bin/bash", "-c", "for i in 1 2; do $riffle wc -l; done; echo survived"},
                    {.terminal = true});
  loop.feed("x\n");
  loop.wait_for("2 B, ");
  loop.press(ctrl_c);
  EXPECT_TRUE(died_of(loop.wait(), SIGINT));
  EXPECT_EQ(loop.out(), "");
  EXPECT_EQ(loop.screen(), "riffle: interrupted; counted so far:\n1\n");
}

TEST(ctrl_c, that_was_ignored_at_the_start_stays_so) {
  running_tool wc({"wc", "-l"}, {.before = [] { ::signal(SIGINT, SIG_IGN); }});
  wc.feed("x\n");
  wc.send(SIGINT);
  wc.feed("y\n");
  wc.end_input();
  EXPECT_EQ(wc.wait(), 0);
  EXPECT_EQ(wc.out(), "2\n");
  EXPECT_EQ(wc.err(), "");
}

TEST(ctrl_c, ends_the_tool_although_no_one_reads_what_it_prints) {
  const temporary_file text("a\n");
  std::vector<std::string> words{"wc"};
  for (int i = 0; i != 5000; ++i) words.push_back(text.path().string());  // more rows than a pipe holds
  running_tool wc(words, {});
  wc.wait_until_it_has_threads();
  wc.wait_until_it_waits();
  wc.send(SIGINT);
  EXPECT_TRUE(died_of(wc.wait_unread(), SIGINT));
}

// Whether a row of `wc` counts a prefix of many lines "one two".
void expect_prefix_of_lines(const std::string& err, std::size_t size) {
  unsigned long long lines = 1;
  unsigned long long words = 0;
  unsigned long long bytes = 0;
  const char* const form = "riffle: interrupted; counted so far:\n%llu %llu %llu";
  EXPECT_EQ(std::sscanf(err.c_str(), form, &lines, &words, &bytes), 3) << err;
  EXPECT_LT(bytes, size);
  EXPECT_EQ(lines, bytes / 8);
  EXPECT_EQ(words, 2 * lines);
}

TEST(ctrl_c, prints_a_prefix_of_a_file_on_storage_that_does_not_answer_by_each_method) {
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  std::string text;
  while (text.size() < std::size_t{24} << 20U) text += "one two\n";
  const slow_file slow(text, {"--latency=100000"});
  std::deque<running_tool> tools;
  std::vector<std::string> names;
  for (const method each : usable_methods()) {
    for (const char* const threads : {"1", "2"}) {
      names.push_back(std::string(name_of(each)) + " " + threads);
      const std::vector<std::string> words{"wc",        "--method", std::string(name_of(each)),
                                           "--threads", threads,    slow.path().string()};
      tools.emplace_back(words, running_tool::surroundings());
    }
  }
  for (const running_tool& each : tools) each.wait_until_it_has_threads();
  ::usleep(250'000);  // so that there may be something to print; any prefix is right
  for (const running_tool& each : tools) each.send(SIGINT);
  for (std::size_t i = 0; i != tools.size(); ++i) {
    SCOPED_TRACE(names[i]);
    EXPECT_TRUE(died_of(tools[i].wait(), SIGINT));
    expect_prefix_of_lines(tools[i].err(), text.size());
  }
}

}  // namespace
}  // namespace riffle::test
