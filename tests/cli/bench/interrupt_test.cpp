/// A signal ends a measurement as it ends any program: the parent learns of it, and no file is left.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <thread>

#include "bench/host/os/run_lock.hpp"
#include "tests/support/build.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {

namespace {

/// A command of the tool in a process of its own. What still runs after a minute is killed.
class running {
 public:
  explicit running(std::vector<std::string> words) {
    words.insert(words.begin(), build::tool);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const std::string place = temporary();
    child_ = fork();
    if (child_ != 0) return;
    setenv("TMPDIR", place.c_str(), 1);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_DFL);
    for (const int descriptor : {1, 2}) dup2(open("/dev/null", O_WRONLY), descriptor);
    alarm(60);
    execv(build::tool, pointers.data());
    _exit(127);
  }
  running(const running&) = delete;
  running& operator=(const running&) = delete;

  std::string temporary() const { return directory_.path().string(); }
  /// Waits until the directory of the measurement is there and locked.
  void wait_for_files() const {
    while (!locked() && kill(child_, 0) == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  void send(int signal) const { kill(child_, signal); }
  /// What waitpid tells.
  int wait() const {
    int status = 0;
    waitpid(child_, &status, 0);
    return status;
  }
  bool left_nothing() const { return std::filesystem::is_empty(directory_.path()); }

 private:
  bool locked() const {
    return std::ranges::any_of(std::filesystem::directory_iterator(directory_.path()), [](const auto& each) {
      return std::filesystem::exists(each.path() / os::run_lock::name);
    });
  }

  temporary_directory directory_;
  pid_t child_;
};

std::vector<std::string> bench(const std::string& json) {
  return {"bench", "--task", "gc", "--size", "1M", "--rounds", "100000", "--json", json};
}

}  // namespace

TEST(interrupts, end_the_program_by_their_own_signal_once_it_has_cleaned_up) {
  const temporary_directory reports;
  const std::string json = (reports.path() / "x.json").string();
  const running terminated(bench(json));
  const running hung_up(bench("/dev/null"));
  const running reproducing({"bench", "reproduce", "ioaccess"});
  const running advising({"advise"});
  const std::vector<std::pair<const running*, int>> all{
      {&terminated, SIGTERM}, {&hung_up, SIGHUP}, {&reproducing, SIGINT}, {&advising, SIGTERM}};
  for (const auto& [program, signal] : all) {
    program->wait_for_files();
    program->send(signal);
  }
  for (const auto& [program, signal] : all) {
    const int status = program->wait();
    EXPECT_TRUE(WIFSIGNALED(status)) << WEXITSTATUS(status);
    EXPECT_EQ(WTERMSIG(status), signal);
    EXPECT_TRUE(program->left_nothing());
  }
  EXPECT_EQ(shell("grep -c '\"complete\": false' " + json).out, "1\n");
}

TEST(interrupts, by_sigkill_leave_files_that_the_next_run_removes) {
  const running killed(bench("/dev/null"));
  killed.wait_for_files();
  killed.send(SIGKILL);
  EXPECT_EQ(WTERMSIG(killed.wait()), SIGKILL);
  EXPECT_FALSE(killed.left_nothing());
  EXPECT_EQ(shell("TMPDIR=" + killed.temporary() + " $riffle advise").status, 0);
  EXPECT_TRUE(killed.left_nothing());
}

}  // namespace riffle::test
