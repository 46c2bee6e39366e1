/// Waits by sigwait(2), and looks for signals at short intervals if there is a limit.
#include "cli/os/posix/wait_for_signal.hpp"

#include <algorithm>
#include <thread>

namespace riffle::os {

namespace {

constexpr std::chrono::milliseconds between_looks{20};

bool any_pending(const sigset_t& signals) noexcept {
  sigset_t pending{};
  if (sigpending(&pending) != 0) return false;
  for (int signal = 1; signal < NSIG; ++signal) {
    if (sigismember(&signals, signal) == 1 && sigismember(&pending, signal) == 1) return true;
  }
  return false;
}

}  // namespace

int wait_for_signal(const sigset_t& signals, std::optional<std::chrono::nanoseconds> longest) noexcept {
  using clock = std::chrono::steady_clock;
  const clock::time_point start = clock::now();
  while (longest && !any_pending(signals)) {
    const auto left = *longest - (clock::now() - start);
    if (left <= std::chrono::nanoseconds::zero()) return -1;
    std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(left, between_looks));
  }
  int signal = -1;
  return sigwait(&signals, &signal) == 0 ? signal : -1;
}

}  // namespace riffle::os
