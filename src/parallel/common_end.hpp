/// Lets threads agree on where an input ends that grows while they read it.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <mutex>

namespace riffle::inline v0 {

/// The end that one thread met and no other has read beyond. Without it, bytes that arrive meanwhile would be
/// read by one thread after a gap that another has left.
///
/// Where a thread finds nothing, the input need not have ended: it may have ended before, in a split that is
/// not read yet and grows until it is. So such a thread waits for those that read the splits before.
class common_end {
 public:
  /// `start` is where the first split begins.
  explicit common_end(std::uint64_t start) : furthest_(start) {}

  /// Returns whether the bytes right before `offset` were read.
  bool has_reached(std::uint64_t offset) {
    const std::lock_guard lock(mutex_);
    return furthest_ >= offset;
  }

  /// Notes that a thread has read up to `offset`, unless the end lies before. Returns the smaller of both.
  std::uint64_t reach(std::uint64_t offset) {
    const std::lock_guard lock(mutex_);
    offset = std::min(offset, end_);
    furthest_ = std::max(furthest_, offset);
    moved_.notify_all();
    return offset;
  }

  /// Notes that a thread met the end at `offset`, after the bytes right before it were read. Returns false if
  /// another thread has read further: then that is not the end, because the input has grown.
  bool meet(std::uint64_t offset) {
    const std::lock_guard lock(mutex_);
    if (offset < furthest_) return false;
    end_ = std::min(end_, offset);
    moved_.notify_all();
    return true;
  }

  /// Waits until the bytes right before `offset` were read, or cannot be. Returns whether they were.
  bool wait_for(std::uint64_t offset) {
    std::unique_lock lock(mutex_);
    moved_.wait(lock, [&] { return stopped_ || furthest_ >= offset || end_ < offset; });
    return furthest_ >= offset;
  }

  /// Lets no thread wait any more, because another one has failed.
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    moved_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable moved_;
  std::uint64_t end_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t furthest_;
  bool stopped_ = false;
};

}  // namespace riffle::inline v0
