/// Starts threads. If the system has no more, the threads that run do all the work.
#include "parallel/threads.hpp"

#include <riffle/parallel.hpp>

#include <algorithm>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "os/cancellation.hpp"
#include "os/machine.hpp"

namespace riffle::inline v0 {

namespace {

// Joins its threads at the end, also if an exception is the end. The C++ library of macOS has no
// std::jthread.
class joined_threads {
 public:
  explicit joined_threads(std::size_t most) { threads_.reserve(most); }
  joined_threads(const joined_threads&) = delete;
  joined_threads& operator=(const joined_threads&) = delete;
  ~joined_threads() {
    for (std::thread& thread : threads_) thread.join();
  }

  [[nodiscard]] std::size_t size() const noexcept { return threads_.size(); }
  // Returns false if the system has no more, or no memory for one.
  bool start_one_more(const std::function<void()>& work) {
    try {
      threads_.emplace_back(work);
      return true;
    } catch (const std::system_error&) {
      return false;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

 private:
  std::vector<std::thread> threads_;
};

}  // namespace

unsigned thread_count(unsigned threads) noexcept {
  if (threads == 0) return os::usable_processors();
  return std::min(threads, most_threads);
}

void run_on_threads(unsigned threads, const std::function<void()>& work) {
  const os::uncancelled running;
  joined_threads others(threads - 1);
  while (others.size() + 1 < threads && others.start_one_more(work)) {
  }
  work();
}

void first_failure::note(std::size_t index) noexcept {
  const std::lock_guard lock(mutex_);
  if (!failure_ || index < index_) {
    index_ = index;
    failure_ = std::current_exception();
  }
  stop_ = true;
}

void first_failure::rethrow() const {
  if (failure_) std::rethrow_exception(failure_);
}

}  // namespace riffle::inline v0
