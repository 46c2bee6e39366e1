/// Runs the tool on a terminal, as a person does: what it shows there, and what the keys do.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {

/// What a terminal of many columns shows after `written`.
inline std::string screen_after(const std::string& written) {
  std::vector<std::string> rows(1);
  std::size_t column = 0;
  for (const char each : written) {
    if (each == '\r') {
      column = 0;
    } else if (each == '\n') {
      rows.emplace_back();
    } else {
      std::string& row = rows.back();
      row.resize(std::max(row.size(), column + 1), ' ');
      row[column++] = each;
    }
  }
  std::string screen;
  for (std::string& row : rows) {
    row.erase(row.find_last_not_of(' ') + 1);
    screen += row + "\n";
  }
  screen.pop_back();
  return screen;
}

/// A command of the tool, or a program with its path. Its standard input is a pipe that the test fills, its
/// standard output a file.
class running_tool {
 public:
  struct surroundings {
    bool terminal = false;          // standard error is a terminal, and that of the command's session
    bool rows_on_terminal = false;  // standard output too
    bool rows_in_pipe = false;      // standard output is a pipe
    bool background = false;        // another process group has the terminal
    unsigned short columns = 80;
    std::function<void()> before = [] {};  // in the process of the command, before it becomes that
  };

  running_tool(std::vector<std::string> words, const surroundings& around) {
    int terminal = -1;
    winsize size{};
    size.ws_col = around.columns;
    size.ws_row = 24;
    if (::openpty(&screen_, &terminal, nullptr, nullptr, &size) != 0)
      throw std::system_error(errno, std::generic_category());
    for (auto* const ends : {&input_, &output_, &errors_}) {
      if (::pipe2(ends->data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category());
    }
    if (!around.rows_in_pipe) {
      const int file = ::memfd_create("rows", MFD_CLOEXEC);
      const int reading = ::open(("/proc/self/fd/" + std::to_string(file)).c_str(), O_RDONLY);
      ::dup3(file, output_[1], O_CLOEXEC);
      ::dup3(reading, output_[0], O_CLOEXEC);
      for (const int each : {file, reading}) ::close(each);
      rows_in_file_ = true;
    }
    if (!words.front().starts_with('/')) words.insert(words.begin(), build::tool);
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    child_ = ::fork();
    if (child_ != 0) {
      for (const int mine : {terminal, input_[0], output_[1], errors_[1]}) ::close(mine);
      ::signal(SIGPIPE, SIG_IGN);
      return;
    }
    ::setsid();
    if (::ioctl(terminal, TIOCSCTTY, 0) != 0) ::_exit(126);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) ::signal(signal, SIG_DFL);
    ::dup2(input_[0], 0);
    ::dup2(around.rows_on_terminal ? terminal : output_[1], 1);
    ::dup2(around.terminal ? terminal : errors_[1], 2);
    ::setenv("LC_ALL", "C", 1);
    ::setenv("TERM", "xterm", 1);
    ::setenv("riffle", build::tool, 1);
    ::alarm(60);
    if (around.background && ::fork() == 0) {  // a group of its own that has the terminal
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      ::setpgid(0, 0);
      ::signal(SIGTTOU, SIG_IGN);
      ::tcsetpgrp(terminal, ::getpid());
      ::syscall(SYS_close_range, 0, ~0U, 0);  // among them the writing end of the command's input
      ::pause();
    }
    while (around.background && ::tcgetpgrp(terminal) == ::getpgrp()) ::usleep(1000);
    around.before();
    ::execv(pointers[0], pointers.data());
    ::_exit(127);
  }
  ~running_tool() {
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
    for (const int each : {screen_, input_[1], output_[0], errors_[0]}) ::close(each);
  }
  running_tool(const running_tool&) = delete;
  running_tool& operator=(const running_tool&) = delete;

  /// Writes to the standard input of the command, and waits until it has handled that: it reads once more.
  void feed(const std::string& bytes) {
    if (::write(input_[1], bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) ADD_FAILURE();
    int left = 1;
    while (alive() && ::ioctl(input_[1], FIONREAD, &left) == 0 && left != 0) ::usleep(1000);
    wait_until_it_waits();
  }
  void end_input() { ::close(std::exchange(input_[1], -1)); }
  /// Waits until the main thread of the command waits, but not for a disk, as a program does that starts.
  void wait_until_it_waits() const {
    const std::string place = "/proc/" + std::to_string(child_) + "/stat";
    for (std::string line; alive();) {
      std::ifstream in(place);
      std::getline(in, line);
      const auto state = line.rfind(')') + 2;
      if (state < line.size() && line[state] == 'S') return;
      ::usleep(1000);
    }
  }
  /// Waits until the command has started a thread: on a terminal, one that handles the signals.
  /// This process must have none but its first, and that of an emulator, which the command has too.
  void wait_until_it_has_threads() const {
    const auto count = [](const std::string& process) {
      std::error_code gone;
      return std::distance(std::filesystem::directory_iterator("/proc/" + process + "/task", gone), {});
    };
    const auto unstarted = count("self");
    while (alive() && count(std::to_string(child_)) <= unstarted) ::usleep(1000);
  }
  void press(char key) const { EXPECT_EQ(::write(screen_, &key, 1), 1); }
  void send(int signal) const { ::kill(child_, signal); }
  void resize(unsigned short columns) const {
    winsize size{};
    size.ws_col = columns;
    size.ws_row = 24;
    ::ioctl(screen_, TIOCSWINSZ, &size);
  }

  /// Waits until the terminal got `text`. It is a failure if the command ends before.
  void wait_for(const std::string& text, std::size_t from = 0) {
    while (shown_.find(text, from) == std::string::npos && take(screen_, shown_)) continue;
    EXPECT_NE(shown_.find(text, from), std::string::npos) << text;
  }
  /// Waits until the terminal got something that was not there.
  void wait_for_more() {
    const std::size_t before = shown_.size();
    while (shown_.size() == before && take(screen_, shown_)) continue;
  }

  /// Waits until the first row has come.
  void wait_for_row() {
    while (out_.find('\n') == std::string::npos && (take(output_[0], out_) || alive())) continue;
  }

  /// Waits for the end. Returns what waitpid tells.
  int wait() {
    const int rows = rows_in_file_ ? -1 : output_[0];  // a file is read at the end
    std::array<pollfd, 3> ends{{{screen_, POLLIN, 0}, {rows, POLLIN, 0}, {errors_[0], POLLIN, 0}}};
    const std::array into{&shown_, &out_, &err_};
    int open = rows_in_file_ ? 2 : 3;
    while (open != 0 && ::poll(ends.data(), ends.size(), 60'000) > 0) {
      for (std::size_t i = 0; i != ends.size(); ++i) {
        if (ends[i].revents == 0 || take(ends[i].fd, *into[i])) continue;
        ends[i].fd = -1;
        --open;
      }
    }
    while (take(output_[0], out_)) continue;
    return wait_unread();
  }
  /// The same, but what the command prints is not read.
  int wait_unread() {
    int status = 0;
    ::waitpid(std::exchange(child_, -1), &status, 0);
    return status;
  }

  /// All that the terminal got so far; what it shows; what went to standard output and to standard error.
  const std::string& shown() const { return shown_; }
  std::string screen() const { return screen_after(shown_); }
  const std::string& out() const { return out_; }
  const std::string& err() const { return err_; }

 private:
  bool alive() const {
    siginfo_t ended{};
    return ::waitid(P_PID, static_cast<id_t>(child_), &ended, WEXITED | WNOWAIT | WNOHANG) == 0 &&
           ended.si_pid == 0;
  }
  static bool take(int from, std::string& into) {
    std::array<char, 4096> some{};
    const ssize_t size = ::read(from, some.data(), some.size());
    if (size > 0) into.append(some.data(), static_cast<std::size_t>(size));
    return size > 0;
  }

  int screen_ = -1;
  std::array<int, 2> input_{};
  std::array<int, 2> output_{};
  bool rows_in_file_ = false;
  std::array<int, 2> errors_{};
  pid_t child_ = -1;
  std::string shown_;
  std::string out_;
  std::string err_;
};

/// Whether a command was ended by that signal.
inline testing::AssertionResult died_of(int status, int signal) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == signal) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "status " << status;
}

}  // namespace riffle::test
