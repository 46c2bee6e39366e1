/// Threads are started in one place, and what the first of them met is told.
#ifndef RIFFLE_PARALLEL_THREADS_HPP
#define RIFFLE_PARALLEL_THREADS_HPP

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>

namespace riffle::inline v0 {

/// More never read faster, and take memory each.
inline constexpr unsigned most_threads = 1024;

/// The number of threads that is meant by one given: by 0, as many as the machine runs at once; at most
/// `most_threads`.
unsigned thread_count(unsigned threads) noexcept;

/// Runs `work` on so many threads, the calling one among them;
/// on fewer where the system has no more. `work` must not throw.
void run_on_threads(unsigned threads, const std::function<void()>& work);

/// The failure of the lowest index; the others stop as soon as there is one.
class first_failure {
 public:
  /// To be called while the exception is handled.
  void note(std::size_t index) noexcept;
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

#endif
