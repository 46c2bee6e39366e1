/// Waits by sigwait(2), which a second thread ends if there is a limit.
#include "cli/os/posix/wait_for_signal.hpp"

#include <pthread.h>

#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>

namespace riffle::os {

namespace {

// Sends the signal to the thread that made it when the time is over, unless it is destroyed before.
class limit {
 public:
  limit(std::chrono::nanoseconds longest, int signal)
      : thread_([this, longest, signal, waiting = pthread_self()] {
          std::unique_lock lock(mutex_);
          if (!stopped_.wait_for(lock, longest, [this] { return stop_; })) pthread_kill(waiting, signal);
        }) {}
  limit(const limit&) = delete;
  limit& operator=(const limit&) = delete;
  ~limit() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    stopped_.notify_one();
    thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stop_ = false;
  std::thread thread_;  // last, as it uses the others
};

int wait_without_limit(const sigset_t& signals) noexcept {
  int signal = -1;
  return sigwait(&signals, &signal) == 0 ? signal : -1;
}

}  // namespace

// sigpending(2) of macOS does not tell of a signal to the process that another thread blocks too; sigwait
// takes it.
int wait_for_signal(const sigset_t& signals, int wake_up,
                    std::optional<std::chrono::nanoseconds> longest) noexcept {
  try {
    std::optional<limit> ending;
    if (longest) ending.emplace(*longest, wake_up);
    return wait_without_limit(signals);
  } catch (const std::system_error&) {
    return wait_without_limit(signals);  // no thread: what is shown meanwhile stands still
  }
}

}  // namespace riffle::os
