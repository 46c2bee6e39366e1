/// The line that tells the progress: its text, and when and where a terminal shows it.
#include <gmock/gmock.h>
#include <unistd.h>

#include "cli/progress/line.hpp"
#include "tests/cli/progress/terminal_run.hpp"

namespace riffle::test {
namespace {

using cli::progress_text;
using testing::HasSubstr;

constexpr std::uint64_t mib = 1 << 20;

TEST(progress_text, has_the_share_the_rate_and_the_time_left) {
  EXPECT_EQ(progress_text({.bytes = 512 * mib, .total = 2048 * mib, .rate = 100.0 * mib}, 80),
            "512.0 MiB of 2.0 GiB (25 %), 100.0 MiB/s, 0:15 left");
  EXPECT_EQ(progress_text({.bytes = 0, .total = 3723 * mib, .rate = 1.0 * mib}, 80),
            "0 B of 3.6 GiB (0 %), 1.0 MiB/s, 1:02:03 left");
  EXPECT_EQ(progress_text({.bytes = 0, .total = 1, .rate = 0}, 80), "0 B of 1 B (0 %), 0 B/s");
}

TEST(progress_text, of_inputs_of_unknown_size_has_no_share) {
  EXPECT_EQ(progress_text({.bytes = 5 * mib, .total = {}, .rate = 1.0 * mib}, 80), "5.0 MiB, 1.0 MiB/s");
}

TEST(progress_text, of_a_file_that_grew_has_no_share) {
  EXPECT_EQ(progress_text({.bytes = 5 * mib, .total = 4 * mib, .rate = 1.0 * mib}, 80), "5.0 MiB, 1.0 MiB/s");
}

TEST(progress_text, drops_its_last_parts_for_a_narrow_terminal) {
  const cli::progress_facts facts{.bytes = mib, .total = 2 * mib, .rate = 1.0 * mib};
  const std::string all = "1.0 MiB of 2.0 MiB (50 %), 1.0 MiB/s, 0:01 left";
  EXPECT_EQ(progress_text(facts, all.size()), all);
  EXPECT_EQ(progress_text(facts, all.size() - 1), "1.0 MiB of 2.0 MiB (50 %), 1.0 MiB/s");
  EXPECT_EQ(progress_text(facts, 30), "1.0 MiB of 2.0 MiB (50 %)");
  EXPECT_EQ(progress_text(facts, 10), "");
}

TEST(progress, is_shown_after_a_second_and_gone_at_the_end) {
  running_tool wc({"wc", "-l"}, {.terminal = true});
  wc.feed("one\ntwo\n");
  wc.wait_for("8 B, ");
  EXPECT_THAT(wc.screen(), HasSubstr("8 B, "));
  wc.end_input();
  EXPECT_EQ(wc.wait(), 0);
  EXPECT_EQ(wc.screen(), "");
  EXPECT_EQ(wc.out(), "2\n");
}

TEST(progress, of_count_sum_and_cat_is_the_same_line) {
  running_tool count({"count", "--lines"}, {.terminal = true});
  running_tool sum({"sum", "--type", "u8"}, {.terminal = true});
  running_tool cat({"cat"}, {.terminal = true});
  for (running_tool* const each : {&count, &sum, &cat}) each->feed("one\ntwo\n");
  for (running_tool* const each : {&count, &sum, &cat}) {
    each->wait_for("8 B, ");
    each->end_input();
    EXPECT_EQ(each->wait(), 0);
    EXPECT_EQ(each->screen(), "");
  }
  EXPECT_EQ(count.out() + sum.out() + cat.out(), "2\n688\none\ntwo\n");
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

TEST(progress, leaves_rows_and_messages_on_the_same_terminal_alone) {
  running_tool wc({"wc", "-l", "-", "/missing"}, {.terminal = true, .rows_on_terminal = true});
  wc.feed("one\ntwo\n");
  wc.wait_for("8 B, ");
  wc.end_input();
  EXPECT_EQ(WEXITSTATUS(wc.wait()), 1);
  EXPECT_EQ(wc.screen(),
            "      2 -\nriffle: cannot open '/missing': No such file or directory\n      2 total\n");
}

TEST(progress, fits_a_narrow_terminal_and_one_that_becomes_narrow) {
  running_tool wc({"wc", "-l"}, {.terminal = true, .columns = 10});
  wc.feed("one\ntwo\n");
  wc.wait_for("8 B");
  wc.wait_for_more();
  EXPECT_EQ(wc.screen(), "8 B");  // the rate has no room
  wc.resize(40);
  wc.wait_for("8 B, ");
  wc.resize(4);
  const std::size_t wide = wc.shown().size();
  wc.wait_for("\r8 B", wide + 1);
  wc.wait_for_more();
  const std::string since = wc.shown().substr(wc.shown().rfind('\r'));
  EXPECT_LE(since.size(), 1 + 3U) << since;
  wc.end_input();
  EXPECT_EQ(wc.wait(), 0);
}

// A second and two lines later there would be something.
bool shows_something_within_two_seconds(running_tool& tool) {
  tool.feed("x");
  ::usleep(1'700'000);
  tool.end_input();
  tool.wait();
  return (tool.shown() != "" && tool.shown() != "x") || !tool.err().empty();
}

TEST(progress, is_never_shown_in_a_pipe_a_background_job_or_a_dumb_terminal_or_beside_what_cat_copies) {
  running_tool piped({"wc"}, {});
  running_tool background({"wc"}, {.terminal = true, .background = true});
  running_tool copies({"cat"}, {.terminal = true, .rows_on_terminal = true});
  running_tool dumb({"wc"}, {.terminal = true, .before = [] { ::setenv("TERM", "dumb", 1); }});
  std::vector<std::jthread> waits;
  for (running_tool* const each : {&piped, &background, &dumb, &copies}) {
    waits.emplace_back([each] { EXPECT_FALSE(shows_something_within_two_seconds(*each)) << each->shown(); });
  }
}

}  // namespace
}  // namespace riffle::test
