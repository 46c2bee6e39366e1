/// The queue of files that threads take from, and the order in which they finish.
#include "cli/files.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace riffle::cli {

namespace {

// Larger files are shared by all threads: below this, a thread that takes it last keeps the others waiting
// for no more than a millisecond or two.
constexpr std::uint64_t largest_side_by_side = std::uint64_t{16} << 20U;

// The indices below a count, handed out in short stretches.
class queue {
 public:
  queue(std::size_t count, unsigned threads) : count_(count), threads_(threads) {}

  // Sets `begin` and `end`; false when there are no more. Many at a time while there are many, so that the
  // threads seldom meet; one at a time towards the end, so that they end together.
  bool take(std::size_t& begin, std::size_t& end) {
    constexpr std::size_t most = 16;
    begin = next_;
    do {
      if (begin == count_) return false;
      end = begin + std::clamp<std::size_t>((count_ - begin) / (std::size_t{4} * threads_), 1, most);
    } while (!next_.compare_exchange_weak(begin, end));
    return true;
  }

 private:
  std::size_t count_;
  std::size_t threads_;
  std::atomic<std::size_t> next_ = 0;
};

// Calls `finish` in order, on whichever thread completes what is due.
class finishing {
 public:
  finishing(std::size_t count, const std::function<void(std::size_t)>& finish)
      : finish_(finish), done_(count) {}

  // False when there has been a failure: nothing more is to be done.
  bool done(std::size_t index) {
    const std::lock_guard lock(mutex_);
    done_[index] = true;
    try {
      for (; !failure_ && due_ != done_.size() && done_[due_]; ++due_) finish_(due_);
    } catch (...) {
      failure_ = std::current_exception();
    }
    return !failure_;
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  const std::function<void(std::size_t)>& finish_;
  std::vector<bool> done_;
  std::size_t due_ = 0;  // all before it are finished
  std::exception_ptr failure_;
};

}  // namespace

void in_order(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& work,
              const std::function<void(std::size_t)>& finish) {
  threads = static_cast<unsigned>(std::clamp<std::size_t>(count, 1, threads));
  queue indices(count, threads);
  finishing results(count, finish);
  detail::run_on_threads(threads, [&] {
    std::size_t begin = 0;
    std::size_t end = 0;
    while (indices.take(begin, end)) {
      for (; begin != end; ++begin) {
        work(begin);
        if (!results.done(begin)) return;
      }
    }
  });
  results.rethrow();
}

bool side_by_side(const source& opened) {
  return opened.seekable() && opened.size_hint() <= largest_side_by_side;
}

}  // namespace riffle::cli
