/// Why this file exists: `os::interrupted` by a signal handler that sets a flag and nothing else.
#include "os/interrupt.hpp"

#include <atomic>
#include <csignal>

namespace riffle::os {

namespace {

std::atomic<bool> noted = false;
static_assert(std::atomic<bool>::is_always_lock_free);  // or a signal handler may not touch it

void note(int /*signal*/) {
  noted = true;
}

}  // namespace

void note_interrupts() {
  struct sigaction action{};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
}

bool interrupted() noexcept {
  return noted;
}

}  // namespace riffle::os
