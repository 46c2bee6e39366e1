/// Lets threads agree on where an input ends that grows while they read it.
#ifndef RIFFLE_PARALLEL_COMMON_END_HPP
#define RIFFLE_PARALLEL_COMMON_END_HPP

#include <algorithm>
#include <cstdint>
#include <limits>
#include <mutex>

namespace riffle::inline v0 {

/// The end that one thread met and no other has read beyond. Without it, bytes that arrive meanwhile would be
/// read by one thread behind a gap that another has left.
class common_end {
 public:
  /// Notes that a thread has read up to `offset`, unless the end lies before. Returns the smaller of both.
  std::uint64_t reach(std::uint64_t offset) {
    const std::lock_guard lock(mutex_);
    offset = std::min(offset, end_);
    furthest_ = std::max(furthest_, offset);
    return offset;
  }

  /// Notes that a thread met the end at `offset`. Returns false if another thread has read further: then that
  /// is not the end, because the input has grown.
  bool meet(std::uint64_t offset) {
    const std::lock_guard lock(mutex_);
    if (offset < furthest_) return false;
    end_ = std::min(end_, offset);
    return true;
  }

 private:
  std::mutex mutex_;
  std::uint64_t end_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t furthest_ = 0;
};

}  // namespace riffle::inline v0

#endif
