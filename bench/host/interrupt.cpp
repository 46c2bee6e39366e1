/// `os::interrupted` by a signal handler that sets a flag and nothing else.
#include "bench/host/interrupt.hpp"

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
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, note);
  if (std::signal(SIGHUP, note) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // as nohup(1) had it
}

void outlive_readers() {
  std::signal(SIGPIPE, [](int) {});  // not SIG_IGN, which the programs that are run would inherit
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
