/// Waits for a signal that is blocked: macOS lacks the call that POSIX has for it.
#ifndef RIFFLE_CLI_OS_POSIX_WAIT_FOR_SIGNAL_HPP
#define RIFFLE_CLI_OS_POSIX_WAIT_FOR_SIGNAL_HPP

#include <signal.h>

#include <chrono>
#include <optional>

namespace riffle::os {

/// Waits for one of `signals`, without a limit if there is no `longest`. Returns it; -1 or `wake_up`, which
/// is one of them, if the time is over.
int wait_for_signal(const sigset_t& signals, int wake_up,
                    std::optional<std::chrono::nanoseconds> longest) noexcept;

}  // namespace riffle::os

#endif
