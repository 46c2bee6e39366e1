/// Reading where other objects have gone already: in destructors of static objects, and in the child of a
/// fork, which takes nothing from its parent.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <riffle/riffle.hpp>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <thread>
#include <tuple>
#include <vector>

#include "tests/support/build.hpp"
#include "tests/support/in_child.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

std::uint64_t lines_of(const std::string& path) {
  return count_lines(path, {}, {.method = method::read});
}

struct reads_when_destroyed {
  std::string path;
  ~reads_when_destroyed() {
    if (!path.empty() && lines_of(path) != 100) std::_Exit(1);
    if (!path.empty() && lines_of(path) != 100) std::_Exit(1);
  }
};

thread_local reads_when_destroyed of_thread;

TEST(a_destructor, of_a_static_or_thread_local_object_may_read) {
  expect_exit(0, [] {
    static reads_when_destroyed at_exit;
    {
      const temporary_file file(numbered_lines(100));
      at_exit.path = of_thread.path = file.path().string();
      std::thread([&] {
        of_thread.path = file.path().string();
        static_cast<void>(lines_of(of_thread.path));
      }).join();
      static_cast<void>(lines_of(at_exit.path));
      // The file must outlive the exit.
      const std::string kept = (std::filesystem::temp_directory_path() / "riffle-test-exit-").string() +
                               std::to_string(::getpid());
      std::filesystem::copy_file(file.path(), kept);
      at_exit.path = of_thread.path = kept;
    }
    std::exit(0);
  });
  for (const auto& each : std::filesystem::directory_iterator(std::filesystem::temp_directory_path())) {
    if (each.path().filename().string().starts_with("riffle-test-exit-"))
      std::filesystem::remove(each.path());
  }
}

class each_forked : public testing::TestWithParam<method> {};
INSTANTIATE_TEST_SUITE_P(methods, each_forked, testing::ValuesIn(usable_methods()), method_name);

// The blocks of 1000 bytes are no multiple of a stream's own buffer, so that some bytes wait there.
TEST_P(each_forked, child_takes_nothing_from_its_parent) {
  for (const auto& [count, block_size, depth] :
       {std::tuple(5'000, 1000U, 0U), std::tuple(200'000, 65536U, 8U)}) {
    const std::string text = numbered_lines(static_cast<std::size_t>(count));
    const temporary_file file(text);
    for (const bool waits : {true, false}) {  // for the child, before it reads on
      auto from = std::make_unique<source>(
          file.path(), read_options{.method = GetParam(), .block_size = block_size, .queue_depth = depth});
      std::string bytes(from->next().bytes);
      const pid_t child = ::fork();
      if (child == 0) {
        from.reset();
        std::_Exit(0);
      }
      ::alarm(20);  // a parent whose completions were taken waits for ever
      int status = -1;
      if (waits) ::waitpid(child, &status, 0);
      for (block next = from->next(); !next.empty(); next = from->next()) bytes += next.bytes;
      ::alarm(0);
      if (!waits) ::waitpid(child, &status, 0);
      EXPECT_EQ(status, 0);
      EXPECT_TRUE(bytes == text);
    }
  }
}

TEST(a_ring, that_was_inherited_is_an_error) {
  if (const auto reason = find_method(method::uring)->unavailable()) GTEST_SKIP() << *reason;
  const temporary_file file(numbered_lines(200'000));
  source from(file.path(), {.method = method::uring, .block_size = 65536});
  static_cast<void>(from.next());
  expect_in_child([&] {
    ::alarm(20);
    return code_of([&] {
             while (!from.next().empty()) {
             }
           }) == errc::method_unavailable;
  });
}

TEST_P(each_forked, goes_on_when_a_child_reads_on) {
  if (GetParam() == method::stdio || GetParam() == method::iostream) return;  // they share one position
  const temporary_file file(numbered_lines(5'000));
  source from(file.path(), {.method = GetParam(), .block_size = 1000});
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

// The bytes that the child took are missing, but the file has not shrunk.
TEST_P(each_forked, says_who_moved_a_position_that_it_shares) {
  if (GetParam() != method::stdio && GetParam() != method::iostream) return;
  const temporary_file file(numbered_lines(50'000));
  source from(file.path(), {.method = GetParam(), .block_size = 1000});
  static_cast<void>(from.next());
  EXPECT_EQ(forked([&] {
              while (!from.next().empty()) continue;
            }),
            0);
  const error failure = thrown_by([&] {
    while (!from.next().empty()) continue;
  });
  EXPECT_EQ(failure.code(), std::errc::io_error);
  EXPECT_NE(std::string_view(failure.what()).find("moved the position that it shares"), std::string::npos)
      << failure.what();
  EXPECT_EQ(failure.remedy().value, "read");
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
