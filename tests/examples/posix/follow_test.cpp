/// The example that follows a log, which is rotated and cut at random moments.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <thread>

#include "tests/support/build.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// The follower, and a daemon that writes to its log. Each line has a number.
class followed_log {
 public:
  followed_log()
      : printed_(::popen(("exec " + std::string(build::examples) + "/follow " + path_ + " 1").c_str(), "r")) {
    append_lines(1);
  }
  ~followed_log() {
    append("end\n");
    ::pclose(printed_);
    ::close(log_);
  }
  followed_log(const followed_log&) = delete;
  followed_log& operator=(const followed_log&) = delete;

  // The daemon is told of its new file later, or ends within a line.
  void rotate() {
    append_lines(random_() % 4);
    std::filesystem::rename(path_, path_ + ".1");
    if (random_() % 2 == 0) ::close(created());
    append_lines(random_() % 3);
    if (random_() % 4 == 0) {
      append("half");
      written_ += '\n';
    }
    ::close(std::exchange(log_, created()));
    append_lines(1 + random_() % 3);
  }
  // As `copytruncate`: what was written before was followed, and what is written after is shorter.
  void cut() {
    append_lines(3);
    expect_all();
    std::filesystem::resize_file(path_, 0);
    append_lines(1);
  }
  // Waits for each byte that was written.
  void expect_all() {
    pollfd waited{::fileno(printed_), POLLIN, 0};
    std::string printed;
    while (printed.size() < written_.size()) {
      std::array<char, 4096> bytes;
      const ssize_t count =
          ::poll(&waited, 1, 20'000) == 1 ? ::read(waited.fd, bytes.data(), bytes.size()) : 0;
      if (count <= 0) break;
      printed.append(bytes.data(), static_cast<std::size_t>(count));
      if (!written_.starts_with(printed)) break;
    }
    ASSERT_EQ(printed, written_);
    written_.clear();
  }

 private:
  int created() const { return ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600); }
  void append(const std::string& text) {
    std::this_thread::sleep_for(std::chrono::microseconds(random_() % 1500));
    ASSERT_EQ(::write(log_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    written_ += text;
  }
  void append_lines(std::size_t count) {
    for (; count != 0; --count) append("line " + std::to_string(++lines_) + '\n');
  }

  const temporary_directory folder_;
  const std::string path_ = folder_.path() / "log";
  int log_ = created();
  std::FILE* printed_;
  std::mt19937 random_{1};
  int lines_ = 0;
  std::string written_;  // and not yet printed
};

// RIFFLE_ROTATIONS: how many, if they are to be others.
TEST(examples, follow_a_log_without_losing_a_line) {
  const char* const wanted = std::getenv("RIFFLE_ROTATIONS");
  followed_log log;
  log.expect_all();  // once it is open
  for (int left = wanted != nullptr ? std::atoi(wanted) : 100; left != 0 && !HasFailure(); --left) {
    left % 5 == 0 ? log.cut() : log.rotate();
    log.expect_all();
  }
}

}  // namespace
}  // namespace riffle::test
