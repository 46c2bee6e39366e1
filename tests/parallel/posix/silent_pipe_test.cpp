/// A thread that fails ends the wait of the one that reads a pipe in which nothing comes.
#include <riffle/riffle.hpp>

#include <future>

#include "tests/support/compress.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// Calls `read` with a pipe that has `bytes`, and whose writer stays. It has to throw what its function does.
void expect_to_end(const std::string& bytes, const std::function<void(int pipe)>& read) {
  open_pipe pipe;
  ASSERT_EQ(write_some(pipe.writing.get(), bytes), static_cast<std::ptrdiff_t>(bytes.size()));
  std::future<void> done = std::async(std::launch::async, [&] { read(pipe.reading.get()); });
  const bool ended = done.wait_for(std::chrono::seconds(20)) == std::future_status::ready;
  EXPECT_TRUE(ended) << "it waits for the pipe";
  pipe.writing.close();  // which ends every wait
  EXPECT_THROW(done.get(), std::logic_error);
}

EACH_METHOD(a_silent_pipe);

TEST_P(a_silent_pipe, holds_no_thread_once_another_has_failed) {
  const method_info* const used = find_method(GetParam());  // null: `automatic`
  if (used != nullptr && !used->takes(input_kind::stream)) GTEST_SKIP() << "it reads no pipe";
  if (used != nullptr && used->one_position)
    GTEST_SKIP() << "its stream may hold bytes that the pipe does not show";
  const std::string text = numbered_lines(100);
  const auto fail = [](std::string_view) -> int { throw std::logic_error("enough"); };
  const read_options reading{.method = GetParam()};
  for (const unsigned threads : {2U, 4U, 8U}) {
    const parallel_options splitting{.threads = threads, .split_size = 100};
    expect_to_end(text, [&](int pipe) { parallel_for_each(pipe, fail, splitting, reading); });
    expect_to_end(text,
                  [&](int pipe) { (void)parallel_reduce(pipe, 0, fail, std::plus<>(), splitting, reading); });
    expect_to_end(text, [&](int pipe) {
      const auto fail_in = [&](row_range&) { return fail(""); };
      (void)parallel_rows(pipe, 0, fail_in, std::plus<>(), {}, {threads, 100}, reading);
    });
  }
}

// The wait is that for compressed bytes.
TEST(a_silent_compressed_pipe, holds_no_thread_once_another_has_failed) {
  for (const container& each : containers()) {
    if (missing(each) || each.format == decoding::zlib) continue;
    const std::string bytes = in_members(each, numbered_lines(1000), 2000);
    expect_to_end(bytes, [&](int pipe) {
      parallel_for_each(pipe, [](std::string_view) { throw std::logic_error("enough"); },
                        {.threads = 4, .split_size = 100}, {.decode = decoding::automatic});
    });
  }
}

}  // namespace
}  // namespace riffle::test
