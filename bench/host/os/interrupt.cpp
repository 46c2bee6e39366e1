/// `os::interrupted` by a signal handler that sets a flag and nothing else.
#include "bench/host/os/interrupt.hpp"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <initializer_list>

namespace riffle::os {

namespace {

std::atomic<std::time_t> noted_at = 0;
std::atomic<int> noted_signal = 0;
static_assert(std::atomic<std::time_t>::is_always_lock_free);  // or a signal handler may not touch it

// timeout(1) signals the program and then its group, so the first signal may come twice at once.
void note(int signal) {
  constexpr std::time_t at_once = 1;  // seconds
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const std::time_t first = noted_at;
  if (first == 0) {
    noted_signal = signal;
    noted_at = now.tv_sec + 1;  // never 0
  } else if (now.tv_sec + 1 - first > at_once) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}

}  // namespace

void note_interrupts() {
  struct sigaction action{};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
  struct sigaction hangup{};
  sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
}

void outlive_readers() {
  struct sigaction action{};
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  // Not SIG_IGN, which the programs that are run would inherit.
  action.sa_handler = [](int) {};
  sigaction(SIGPIPE, &action, nullptr);
}

bool interrupted() noexcept {
  return noted_at != 0;
}

void end_by_signal() noexcept {
  const int signal = noted_signal;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  std::_Exit(128 + signal);  // if the signal is blocked: its status in a shell
}

}  // namespace riffle::os
