/// std::cin takes a read of stdio that fails or is interrupted for its end, and riffle does not. A descriptor
/// that the user opened with O_DIRECT is read like another one, from an offset that it takes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#include <riffle/count.hpp>
#include <riffle/lines.hpp>

#include <iostream>
#include <thread>

#include "tests/support/in_child.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

constexpr int lines_written = 20;

// Counts the lines of a std::cin that reads `descriptor`, in a process whose standard input no one else
// needs.
std::string lines_of_standard_input(int descriptor) {
  ::dup2(descriptor, STDIN_FILENO);
  try {
    int count = 0;
    for ([[maybe_unused]] const std::string_view line : lines(std::cin)) ++count;
    return std::to_string(count) + (std::cin.eof() ? " lines" : " lines without an end");
  } catch (const error& failure) {
    return failure.code() == std::errc::is_a_directory ? "a directory" : failure.what();
  }
}

// Reads a pipe whose lines come one by one. `before` is called before each of them.
std::string lines_of_slow_pipe(bool blocks, const std::function<void()>& before) {
  const auto [reading, writing] = make_pipe();
  if (!blocks) ::fcntl(reading, F_SETFL, O_NONBLOCK);
  const std::jthread writer([&before, to = writing] {
    for (int i = 0; i != lines_written; ++i) {
      before();
      if (write_some(to, "line\n") != 5) ADD_FAILURE() << "write";
    }
    ::close(to);
  });
  return lines_of_standard_input(reading);
}

void pause_shortly() {
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

TEST(standard_input, that_is_a_directory_is_an_error) {
  EXPECT_EQ(in_child([] { return lines_of_standard_input(::open("/", O_RDONLY)); }), "a directory");
}

TEST(standard_input, that_does_not_block_is_read_to_its_end) {
  EXPECT_EQ(in_child([] { return lines_of_slow_pipe(false, pause_shortly); }), "20 lines");
}

TEST(standard_input, that_signals_interrupt_is_read_to_its_end) {
  const std::string answer = in_child([] {
    struct sigaction action{};
    action.sa_handler = [](int) {};
    ::sigaction(SIGUSR1, &action, nullptr);
    return lines_of_slow_pipe(true, [reader = ::pthread_self()] {
      pause_shortly();
      ::pthread_kill(reader, SIGUSR1);
      pause_shortly();
    });
  });
  EXPECT_EQ(answer, "20 lines");
}

class each_direct_descriptor : public testing::TestWithParam<method> {};

TEST_P(each_direct_descriptor, is_read_to_its_end) {
  for (const std::size_t size : {1U, 511U, 512U, 5'000U, 300'000U}) {
    const std::string text = patterned_bytes(size);
    const temporary_file file(text);
    const owned_descriptor direct(::open(file.path().c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC));
    if (direct.get() < 0) GTEST_SKIP() << "this file system refuses O_DIRECT";
    EXPECT_EQ(read_all(direct.get(), {.method = GetParam()}), text) << size;
  }
}
INSTANTIATE_TEST_SUITE_P(methods, each_direct_descriptor, testing::ValuesIn(usable_methods()), method_name);

}  // namespace
}  // namespace riffle::test
