/// Starts threads. If the system has no more, the threads that run do all the work.
#include "parallel/threads.hpp"

#include <algorithm>
#include <system_error>
#include <thread>
#include <vector>

#include "os/processors.hpp"

namespace riffle::inline v0 {

namespace {

// Returns false if the system has no more.
bool start_one_more(std::vector<std::jthread>& threads, const std::function<void()>& work) {
  try {
    threads.emplace_back(work);
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

}  // namespace

unsigned thread_count(unsigned threads) noexcept {
  if (threads == 0) return os::usable_processors();
  return std::min(threads, most_threads);
}

void run_on_threads(unsigned threads, const std::function<void()>& work) {
  std::vector<std::jthread> others;
  others.reserve(threads - 1);
  while (others.size() + 1 < threads && start_one_more(others, work)) {
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
