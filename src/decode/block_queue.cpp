/// Bounds the memory of what is decoded ahead.
#include "decode/ahead.hpp"

#include <utility>

namespace riffle::inline v0::decode {

namespace {

// The part that is read may go on even if the others have all blocks.
constexpr std::size_t blocks_in_front = 2;

}  // namespace

bool block_queue::wait_for_room() {
  std::unique_lock lock(mutex_);
  room_.wait(lock, [this] { return stopped_ || parts_.size() < most_parts_; });
  return !stopped_;
}

std::optional<block_queue::ticket> block_queue::begin(caller who) {
  const std::lock_guard lock(mutex_);
  // The reader waits for no room later, so that a part of its may take more than there is.
  const bool enough = who == caller::decoder || blocks_ < most_blocks_ / 2;
  const bool has_room = parts_.size() < most_parts_ && enough;
  if (stopped_ || !has_room) return std::nullopt;
  parts_.emplace_back();
  return first_ + parts_.size() - 1;
}

bool block_queue::has_room(ticket of) const {
  return blocks_ < most_blocks_ || (of == first_ && parts_.front().blocks.size() < blocks_in_front);
}

std::optional<decoded_block> block_queue::fresh(ticket of, caller who) {
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

void block_queue::give_back(decoded_block&& unused) {
  --blocks_;
  used_.push_back(std::move(unused));
}

bool block_queue::put(ticket of, decoded_block&& filled) {
  const std::lock_guard lock(mutex_);
  if (filled.size == 0) {
    give_back(std::move(filled));
  } else if (!stopped_) {
    parts_[static_cast<std::size_t>(of - first_)].blocks.push_back(std::move(filled));
    if (of == first_) ready_.notify_one();
  }
  return !stopped_;
}

void block_queue::end(ticket of, bool last, std::exception_ptr problem) {
  const std::lock_guard lock(mutex_);
  if (stopped_) return;
  auto& ended = parts_[static_cast<std::size_t>(of - first_)];
  ended.ended = true;
  ended.last = last;
  ended.problem = std::move(problem);
  if (of == first_) ready_.notify_one();
}

void block_queue::fail(std::exception_ptr problem) noexcept {
  const std::lock_guard lock(mutex_);
  problem_ = std::move(problem);
  ready_.notify_one();
}

void block_queue::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  room_.notify_all();
}

bool block_queue::is_next(ticket of) {
  const std::lock_guard lock(mutex_);
  return of == first_;
}

bool block_queue::failed() {
  const std::lock_guard lock(mutex_);
  if (parts_.empty()) return problem_ != nullptr;
  return parts_.front().blocks.empty() && parts_.front().problem != nullptr;
}

block_queue::found block_queue::take(decoded_block& into, std::chrono::milliseconds longest) {
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

}  // namespace riffle::inline v0::decode
