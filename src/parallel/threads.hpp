/// Runs work on several threads, and keeps the first failure.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>

namespace riffle::inline v0 {

/// Runs `work` on that many threads, one of which is the calling one; on fewer if the system has no more.
/// `work` must not throw.
void run_on_threads(unsigned threads, const std::function<void()>& work);

/// Keeps the failure with the lowest index. The other threads stop as soon as there is one.
class first_failure {
 public:
  /// Notes the exception that is being handled.
  void note(std::size_t index) noexcept;
  /// Returns whether there is a failure.
  bool stop() const noexcept { return stop_; }
  /// Throws the failure, if there is one.
  void rethrow() const;

 private:
  std::mutex mutex_;
  std::size_t index_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr failure_;
  std::atomic<bool> stop_ = false;
};

}  // namespace riffle::inline v0
