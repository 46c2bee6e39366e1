/// Decodes an input part by part, on the thread that reads and on others ahead of it, in bounded memory.
#pragma once

#include <riffle/input.hpp>
#include <riffle/options.hpp>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "decode/format.hpp"
#include "decode/members.hpp"
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

/// What was done before the threads start, beside going to the first member.
struct begun_work {
  cut_part met = {};                // the first part, or none
  cut_state cut_at = {};            // where it was cut off
  member_reader* reader = nullptr;  // goes on with the member that was begun; null: there is none
  std::uint64_t taken = 0;          // the bytes that it has handed out
};

/// Threads that decode an input. Each takes the next part and decodes it alone; the thread that reads does so
/// too, if it would wait. What has no parts is decoded by one of them. The bytes of a part are handed out
/// after its checksums were right, if it is not large. Memory is bounded, whatever the ratio.
class decode_ahead {
 public:
  /// Decodes by up to so many threads, of which the one that reads is the first; throws std::system_error if
  /// it has to be the only one of several. The input and the reader that was begun outlive this, and are not
  /// used by others.
  decode_ahead(const format& of, compressed_input& from, unsigned threads, begun_work begun);
  decode_ahead(const decode_ahead&) = delete;
  decode_ahead& operator=(const decode_ahead&) = delete;
  /// Ends the threads at once.
  ~decode_ahead();

  /// Returns the next block; empty at the end. Calls `waiting` now and then while it waits. Valid until the
  /// next call. Throws `failure`, and what the input throws.
  std::span<char> next(callback waiting);
  /// Goes on after the end at `cut_state::stop`, up to that of the input. No other thread decodes.
  void go_on();
  /// Returns whether the next part ended by an exception, which `next` throws for good.
  bool failed() noexcept;
  /// Returns the offset in the input after what was decoded for the blocks handed out last.
  std::uint64_t used() const noexcept;
  /// Returns how many bytes lie before the part that is read.
  std::uint64_t before_part() const noexcept;
  /// Leaves the threads, and what they use, to the process that this one was forked from.
  void abandon() noexcept;

 private:
  struct shared;
  std::unique_ptr<shared> shared_;
};

/// A part owns each record that follows a delimiter in it; the first part of a file the first record too. So
/// what it reads begins at a member, and goes on into the next part until a record ends.
class part_reader {
 public:
  /// `from`, which outlives this, stands at the first member of the split and stops at its end.
  part_reader(decode_ahead& from, const detail::split_records& part)
      : from_(from), delimiter_(*part.records.delimiter), owns_(part.split.begin == 0) {}

  /// Returns the next bytes; empty at the end. Throws as `decode_ahead::next`.
  std::span<char> next(callback waiting);

 private:
  decode_ahead& from_;
  char delimiter_;
  bool owns_;              // the next byte belongs to a record of this part
  bool past_end_ = false;  // it lies in the next part
  bool ended_ = false;
};

}  // namespace riffle::inline v0::decode
