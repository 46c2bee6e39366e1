/// Waits by sigtimedwait(2).
#include "cli/os/posix/wait_for_signal.hpp"

#include <ctime>

namespace riffle::os {

int wait_for_signal(const sigset_t& signals, int /*wake_up*/,
                    std::optional<std::chrono::nanoseconds> longest) noexcept {
  siginfo_t info{};
  if (!longest) return sigwaitinfo(&signals, &info);
  timespec time{};
  const auto seconds = std::chrono::floor<std::chrono::seconds>(*longest);
  time.tv_sec = static_cast<std::time_t>(seconds.count());
  time.tv_nsec = static_cast<long>((*longest - seconds).count());
  return sigtimedwait(&signals, &info, &time);
}

}  // namespace riffle::os
