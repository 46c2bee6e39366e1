/// A signal ends a measurement as it ends any program: the parent learns of it, and nothing is left.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/support/mounts.hpp"
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
  /// Waits until the measuring has made its directory, and mounted a file in it if that is `mounted`.
  void wait_for_files(bool mounted = false) const {
    while ((left_nothing() || (mounted && !has_mounts())) && kill(child_, 0) == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  bool has_mounts() const {
    std::ostringstream mounts;
    mounts << std::ifstream("/proc/self/mounts").rdbuf();
    return mounts.str().find(temporary()) != std::string::npos;
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

TEST(interrupts, end_the_commands_that_race) {
  const temporary_directory directory;
  const std::string noted = (directory.path() / "pid").string();
  for (const char* deaf : {"", "trap '' TERM; "}) {
    for (const int signal : {SIGINT, SIGTERM}) {
      const running racing(
          {"bench", "--", "true", "--", deaf + ("echo $$ > " + noted) + "; while :; do sleep 1; done"});
      pid_t command = 0;
      while (!(std::ifstream(noted) >> command)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      racing.send(signal);
      EXPECT_EQ(WTERMSIG(racing.wait()), signal);
      EXPECT_TRUE(kill(command, 0) != 0 ||
                  shell("ps -o stat= " + std::to_string(command)).out.starts_with("Z"));
      EXPECT_TRUE(racing.left_nothing());
      std::filesystem::remove(noted);
    }
  }
}

TEST(interrupts, leave_nothing_mounted) {
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGKILL}) {
    std::vector<std::string> words = bench("/dev/null");
    words.insert(words.end(), {"--latency", "1ms"});
    const running far(words);
    far.wait_for_files(true);
    far.send(signal);
    EXPECT_EQ(WTERMSIG(far.wait()), signal);
    for (int i = 0; i < 3000 && far.has_mounts(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_FALSE(far.has_mounts()) << signal;
    EXPECT_TRUE(signal == SIGKILL || far.left_nothing()) << signal;
  }
}

}  // namespace riffle::test
