/// `os::interrupts` by signals that are blocked and waited for.
#include "cli/os/interrupts.hpp"

#include <pthread.h>
#include <signal.h>

#include <csignal>
#include <cstdlib>
#include <initializer_list>

#include "cli/os/posix/wait_for_signal.hpp"

namespace riffle::os {

namespace {

// Nobody sends it to this program, and it is ignored wherever it is not blocked.
constexpr int wake_up = SIGURG;

sigset_t before;
sigset_t awaited;

bool is_ignored(int signal) noexcept {
  struct sigaction action{};
  return sigaction(signal, nullptr, &action) == 0 && (action.sa_flags & SA_SIGINFO) == 0 &&
         action.sa_handler == SIG_IGN;
}

}  // namespace

interrupts::interrupts() noexcept {
  // macOS forgets a signal that is ignored by default, also while it is blocked.
  std::signal(wake_up, [](int) {});
  sigemptyset(&awaited);
  sigaddset(&awaited, wake_up);
  pthread_sigmask(SIG_BLOCK, nullptr, &before);
  for (const int signal : {SIGINT, SIGTERM}) {
    if (sigismember(&before, signal) == 0 && !is_ignored(signal)) sigaddset(&awaited, signal);
  }
  pthread_sigmask(SIG_BLOCK, &awaited, nullptr);
}

interrupts::~interrupts() {
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

int interrupts::wait(std::optional<std::chrono::nanoseconds> longest) const noexcept {
  const int signal = wait_for_signal(awaited, wake_up, longest);
  return signal < 0 || signal == wake_up ? 0 : signal;
}

void interrupts::wake(std::thread& waiting) noexcept {
  pthread_kill(waiting.native_handle(), wake_up);
}

void interrupts::end_program(int signal) noexcept {
  std::signal(signal, SIG_DFL);
  sigset_t only{};
  sigemptyset(&only);
  sigaddset(&only, signal);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  std::raise(signal);
  std::_Exit(128 + signal);  // its status in a shell
}

void write_in_background() noexcept {
  sigset_t stop{};
  sigemptyset(&stop);
  sigaddset(&stop, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &stop, nullptr);
}

}  // namespace riffle::os
