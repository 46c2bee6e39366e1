/// Delivers the results of several threads in the order of their indices.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <utility>

namespace riffle::inline v0::detail {

/// Delivers results by their index: 0, 1, 2... Thread safety: any number of threads may use one object.
template <class Result>
class ordered {
 public:
  /// Keeps the result, which stands for `count` indices, until it is due. If it is, calls `deliver(Result&&)`
  /// with it and with those that waited for it: in order, in this thread, one at a time. Returns false if the
  /// delivery has been stopped. Throws what `deliver` throws, which stops the delivery.
  template <class Deliver>
  bool add(std::size_t index, Result result, Deliver&& deliver, std::size_t count = 1) {
    const std::lock_guard lock(mutex_);
    if (stopped_) return false;
    if (index != due_) {
      waiting_.emplace(index, waiting{std::move(result), count});
      return true;
    }
    stopped_ = true;  // unless all goes well
    const wake_others at_the_end{turn_};
    deliver(std::move(result));
    due_ += count;
    while (!waiting_.empty() && waiting_.begin()->first == due_) {
      waiting next = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      deliver(std::move(next.result));
      due_ += next.count;
    }
    stopped_ = false;
    return true;
  }

  /// Waits until all results before `index` have been delivered. Returns false if the
  /// delivery has been stopped.
  bool wait_for(std::size_t index) {
    std::unique_lock lock(mutex_);
    turn_.wait(lock, [&] { return stopped_ || due_ >= index; });
    return !stopped_;
  }

  /// Stops the delivery: waiting results are dropped.
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    turn_.notify_all();
  }

 private:
  struct waiting {
    Result result;
    std::size_t count;
  };
  struct wake_others {
    std::condition_variable& turn;
    ~wake_others() { turn.notify_all(); }
  };

  std::mutex mutex_;
  std::condition_variable turn_;
  std::size_t due_ = 0;  // the index whose result is delivered next
  bool stopped_ = false;
  std::map<std::size_t, waiting> waiting_;
};

}  // namespace riffle::inline v0::detail
