/// Reading where other objects have gone already: in destructors of static objects, and in a forked child.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>
#include <riffle/riffle.hpp>

#include <cstdlib>
#include <thread>

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
  EXPECT_EXIT(
      {
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
      },
      testing::ExitedWithCode(0), "");
  for (const auto& each : std::filesystem::directory_iterator(std::filesystem::temp_directory_path())) {
    if (each.path().filename().string().starts_with("riffle-test-exit-"))
      std::filesystem::remove(each.path());
  }
}

class each_forked : public testing::TestWithParam<method> {};
INSTANTIATE_TEST_SUITE_P(methods, each_forked, testing::ValuesIn(usable_methods()), method_name);

TEST_P(each_forked, child_takes_nothing_from_its_parent) {
  const std::string text = numbered_lines(200'000);
  const temporary_file file(text);
  auto from = std::make_unique<source>(
      file.path(), read_options{.method = GetParam(), .block_size = 65536, .queue_depth = 8});
  std::string bytes(from->next().bytes);
  const pid_t child = ::fork();
  if (child == 0) {
    from.reset();
    std::_Exit(0);
  }
  ::alarm(20);  // a parent whose completions were taken waits for ever
  for (block next = from->next(); !next.empty(); next = from->next()) bytes += next.bytes;
  ::alarm(0);
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(bytes == text);
}

TEST(a_ring, that_was_inherited_is_an_error) {
  if (const auto reason = find_method(method::uring)->unavailable()) GTEST_SKIP() << *reason;
  const temporary_file file(numbered_lines(200'000));
  source from(file.path(), {.method = method::uring, .block_size = 65536});
  static_cast<void>(from.next());
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    const auto failure = error_of([&] {
      while (!from.next().empty()) {
      }
    });
    std::_Exit(failure && failure->code() == errc::method_unavailable ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace riffle::test
