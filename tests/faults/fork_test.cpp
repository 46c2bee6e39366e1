/// A child of a fork that reads or destroys what it inherited takes nothing from its parent.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>
#include <riffle/riffle.hpp>

#include <atomic>
#include <thread>
#include <vector>

#include "tests/support/build.hpp"
#include "tests/support/in_child.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

class each_forked_method : public testing::TestWithParam<method> {};
INSTANTIATE_TEST_SUITE_P(methods, each_forked_method, testing::ValuesIn(usable_methods()), method_name);

// Blocks that are no multiple of a stream's own buffer, so that some bytes wait there.
constexpr std::size_t block_size = 1000;

TEST_P(each_forked_method, goes_on_when_a_child_destroys_the_source) {
  const temporary_file file(numbered_lines(5'000));
  auto from = std::make_unique<source>(input(file.path()),
                                       read_options{.method = GetParam(), .block_size = block_size});
  std::string bytes(from->next().bytes);
  EXPECT_EQ(forked([&] { from.reset(); }), 0);
  for (block next = from->next(); !next.empty(); next = from->next()) bytes += next.bytes;
  EXPECT_TRUE(bytes == file.contents());
}

TEST_P(each_forked_method, goes_on_when_a_child_reads_on) {
  if (GetParam() == method::stdio || GetParam() == method::iostream) return;  // they share one position
  const temporary_file file(numbered_lines(5'000));
  source from(file.path(), {.method = GetParam(), .block_size = block_size});
  std::string bytes(from.next().bytes);
  const auto read_on = [&] {
    const auto failure = error_of([&] {
      for (block next = from.next(); !next.empty(); next = from.next()) {
      }
    });
    const bool has_ring = GetParam() == method::uring || GetParam() == method::direct;
    if (failure && !has_ring) ::_exit(1);
  };
  EXPECT_EQ(forked(read_on), 0);
  for (block next = from.next(); !next.empty(); next = from.next()) bytes += next.bytes;
  EXPECT_TRUE(bytes == file.contents());
}

// What a thread that is not in the child had begun, the child does again. A lock it would wait for in vain.
TEST(a_fork, while_threads_map_their_first_file_gives_a_child_that_reads) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer has locks of its own, which a child inherits";
  const temporary_file file(numbered_lines(1'000));
  const auto read = [&] {
    const mapped_file mapped(file.path());
    return count_lines(mapped) == 1'000 && count_lines(file.path(), {}, {.method = method::mmap}) == 1'000;
  };
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (int i = 0; i != 3; ++i) {
    threads.emplace_back([&] {
      while (!stop) {
        ::signal(SIGBUS, SIG_DFL);  // so that the next file is the first again
        static_cast<void>(read());
      }
    });
  }
  int failed = 0;
  for (int i = 0; i != 1'000 && failed == 0; ++i) failed += forked([&] { ::_exit(read() ? 0 : 1); }) != 0;
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failed, 0) << "SIGALRM ends a child that waits";
}

}  // namespace
}  // namespace riffle::test
