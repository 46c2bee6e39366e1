/// Puts decoded blocks in the order of the input, and bounds the memory of what is decoded ahead.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "method/active_method.hpp"

namespace riffle::inline v0::decode {

/// A block of decoded bytes in a buffer of its own.
struct decoded_block {
  buffer memory;
  std::size_t size = 0;
  std::uint64_t used = 0;  ///< the offset in the input after what was decoded for it

  std::span<char> bytes() noexcept { return memory.space().first(size); }
};

/// The parts of an input that are being decoded. Each has a ticket, by its place in the input.
class block_queue {
 public:
  using ticket = std::uint64_t;

  /// Holds so many parts and blocks at once; the part that is read may have more.
  block_queue(std::size_t parts, std::size_t blocks) : most_parts_(parts), most_blocks_(blocks) {}

  /// Says who asks: a thread that decodes waits for room, the one that makes room does not.
  enum class caller : std::uint8_t { decoder, reader };

  /// Waits until there is room for a part. Returns false if the queue was stopped.
  bool wait_for_room() {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [this] { return stopped_ || parts_.size() < most_parts_; });
    return !stopped_;
  }
  /// Returns the ticket of the next part; `std::nullopt` if there is no room for it, or the queue was
  /// stopped.
  std::optional<ticket> begin(caller who) {
    const std::lock_guard lock(mutex_);
    // The reader waits for no room later, so that a part of its may take more than there is.
    const bool enough = who == caller::decoder || blocks_ < most_blocks_ / 2;
    if (stopped_ || !enough || parts_.size() >= most_parts_) return std::nullopt;
    parts_.emplace_back();
    return first_ + parts_.size() - 1;
  }
  /// Returns an empty block for a part, once there is room for it; `std::nullopt` if the queue was stopped.
  /// The reader gets one at once.
  std::optional<decoded_block> fresh(ticket of, caller who) {
    std::unique_lock lock(mutex_);
    if (who == caller::decoder) room_.wait(lock, [&] { return stopped_ || has_room(of); });
    if (stopped_) return std::nullopt;
    ++blocks_;
    if (used_.empty()) return decoded_block{.memory = buffer(copied_block)};
    decoded_block again = std::move(used_.back());
    used_.pop_back();
    again.size = 0;
    return again;
  }
  /// Adds a block to a part, or takes it back if it is empty. Returns false if the queue was stopped.
  bool put(ticket of, decoded_block&& filled) {
    const std::lock_guard lock(mutex_);
    if (filled.size == 0) {
      give_back(std::move(filled));
    } else if (!stopped_) {
      at(of).blocks.push_back(std::move(filled));
      if (of == first_) ready_.notify_one();
    }
    return !stopped_;
  }
  /// Ends a part; `last`: the input ends with it. After `problem` no part begins.
  void end(ticket of, bool last, std::exception_ptr problem = {}) {
    const std::lock_guard lock(mutex_);
    if (stopped_) return;
    part& ended = at(of);
    ended.ended = true;
    ended.last = last;
    ended.problem = std::move(problem);
    if (of == first_) ready_.notify_one();
  }
  /// Lets `take` throw a problem after the parts that began. It takes no memory.
  void fail(std::exception_ptr problem) noexcept {
    const std::lock_guard lock(mutex_);
    problem_ = std::move(problem);
    ready_.notify_one();
  }
  /// Ends every wait.
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    room_.notify_all();
  }

  /// What `take` found.
  enum class found : std::uint8_t { block, nothing_yet, next_part, end };
  /// Returns whether a part is the one that is read next.
  bool is_next(ticket of) {
    const std::lock_guard lock(mutex_);
    return of == first_;
  }
  /// Returns whether `take` throws.
  bool failed() {
    const std::lock_guard lock(mutex_);
    if (parts_.empty()) return problem_ != nullptr;
    return parts_.front().blocks.empty() && parts_.front().problem != nullptr;
  }
  /// Moves the next block in order into `into`. Waits for it, at most `longest`. Throws the problem of a part
  /// after its blocks.
  found take(decoded_block& into, std::chrono::milliseconds longest) {
    std::unique_lock lock(mutex_);
    const auto is_ready = [this] {
      return parts_.empty() ? problem_ != nullptr : !parts_.front().blocks.empty() || parts_.front().ended;
    };
    if (!ready_.wait_for(lock, longest, is_ready)) return found::nothing_yet;
    if (parts_.empty()) std::rethrow_exception(problem_);
    part& front = parts_.front();
    if (!front.blocks.empty()) {
      std::swap(into, front.blocks.front());
      give_back(std::move(front.blocks.front()));
      front.blocks.pop_front();
      room_.notify_all();
      return found::block;
    }
    if (front.problem) std::rethrow_exception(front.problem);
    if (front.last) return found::end;
    parts_.pop_front();
    ++first_;
    room_.notify_all();
    return found::next_part;
  }

 private:
  static constexpr std::size_t blocks_in_front = 2;  // of the part that is read, if the others have all

  struct part {
    std::deque<decoded_block> blocks;
    bool ended = false;
    bool last = false;
    std::exception_ptr problem;
  };

  part& at(ticket of) { return parts_[static_cast<std::size_t>(of - first_)]; }
  bool has_room(ticket of) const {
    return blocks_ < most_blocks_ || (of == first_ && parts_.front().blocks.size() < blocks_in_front);
  }
  void give_back(decoded_block&& unused) {
    --blocks_;
    used_.push_back(std::move(unused));
  }

  std::mutex mutex_;
  std::condition_variable room_;   // for a part, or for a block
  std::condition_variable ready_;  // the part that is read has a block, or ended
  std::size_t most_parts_;
  std::size_t most_blocks_;
  std::deque<part> parts_;  // from the one that is read on
  ticket first_ = 0;        // of `parts_`
  std::size_t blocks_ = 0;  // that wait to be read or are being filled
  std::vector<decoded_block> used_;
  bool stopped_ = false;
  std::exception_ptr problem_;  // after all parts
};

}  // namespace riffle::inline v0::decode
