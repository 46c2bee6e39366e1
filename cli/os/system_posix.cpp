/// Asks the terminal by poll, catches the signals that end a program, and makes files on POSIX systems.
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>

#include "cli/os/system.hpp"

namespace riffle::os {

void outlive_full_files() noexcept {
  std::signal(SIGXFSZ, SIG_IGN);
}

std::span<char*> start_program(int count, char** words) {
  return {words, static_cast<std::size_t>(count)};
}

namespace {

constexpr int terminal = 2;

// Those that end a program unless it catches them; not those of its own faults.
constexpr std::array ends{
#ifdef SIGSTKFLT  // Linux: other systems ignore SIGIO
    SIGIO,   SIGPWR,  SIGSTKFLT,
#endif
    SIGINT,  SIGTERM, SIGHUP,    SIGQUIT, SIGALRM, SIGUSR1,
    SIGUSR2, SIGPIPE, SIGVTALRM, SIGPROF, SIGXCPU, SIGABRT};

sigset_t caught;
std::array<std::atomic<void (*)()>, 2> last_calls = {};

// The signal is blocked until this returns.
void end_program(int signal) {
  for (const auto& last : last_calls) {
    if (last != nullptr) last.load()();
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void write_to_terminal(std::string_view text) noexcept {
  const pid_t owner = tcgetpgrp(terminal);
  pollfd asked{terminal, POLLOUT, 0};
  if ((owner > 0 && owner != getpgrp()) || poll(&asked, 1, 0) != 1 || (asked.revents & POLLOUT) == 0) return;
  [[maybe_unused]] const ssize_t written = ::write(terminal, text.data(), text.size());
}

void call_before_the_end(void (*last)()) noexcept {
  if (last_calls[0] != nullptr) {
    last_calls[1] = last;
    return;
  }
  last_calls[0] = last;
  sigset_t blocked{};
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  sigemptyset(&caught);
  for (const int signal : ends) {
    if (sigismember(&blocked, signal) != 0) continue;
    if (std::signal(signal, end_program) == SIG_IGN) {
      std::signal(signal, SIG_IGN);
    } else if (signal != SIGPIPE && signal != SIGABRT) {  // a thread raises those itself
      sigaddset(&caught, signal);
    }
  }
}

void take_end_signals(bool taken) noexcept {
  pthread_sigmask(taken ? SIG_UNBLOCK : SIG_BLOCK, &caught, nullptr);
}

}  // namespace riffle::os
