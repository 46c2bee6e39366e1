/// Hands blocks of decoded bytes from the threads that decode to the one that reads, in the order of the
/// input.
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
#include <vector>

#include "method/buffer.hpp"

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
  bool wait_for_room();
  /// Returns the ticket of the next part; `std::nullopt` if there is no room for it, or the queue was
  /// stopped.
  std::optional<ticket> begin(caller who);
  /// Returns an empty block for a part, once there is room for it; `std::nullopt` if the queue was stopped.
  /// The reader gets one at once.
  std::optional<decoded_block> fresh(ticket of, caller who);
  /// Adds a block to a part, or takes it back if it is empty. Returns false if the queue was stopped.
  bool put(ticket of, decoded_block&& filled);
  /// Ends a part; `last`: the input ends with it. After `problem` no part begins.
  void end(ticket of, bool last, std::exception_ptr problem = {});
  /// Lets `take` throw a problem after the parts that began. It takes no memory.
  void fail(std::exception_ptr problem) noexcept;
  /// Ends every wait.
  void stop();

  /// What `take` found.
  enum class found : std::uint8_t { block, nothing_yet, next_part, end };
  /// Returns whether a part is the one that is read next.
  bool is_next(ticket of);
  /// Returns whether `take` throws.
  bool failed();
  /// Moves the next block in order into `into`. Waits for it, at most `longest`. Throws the problem of a part
  /// after its blocks.
  found take(decoded_block& into, std::chrono::milliseconds longest);

 private:
  struct part {
    std::deque<decoded_block> blocks;
    bool ended = false;
    bool last = false;
    std::exception_ptr problem;
  };

  bool has_room(ticket of) const;
  void give_back(decoded_block&& unused);

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
