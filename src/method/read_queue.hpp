/// Reads kept in flight and delivered in order, for the methods `uring` and `direct`.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "method/active_method.hpp"
#include "method/buffer.hpp"
#include "method/waiting.hpp"
#include "os/ring.hpp"

namespace riffle::inline v0 {

struct queue_options {
  std::size_t block_size;
  unsigned depth;                     // 0: the default, and more while it waits
  std::size_t deepest = 0;            // so many more; found by the queue
  std::size_t alignment = 1;          // of offsets; a power of two
  const os::file* through = nullptr;  // the descriptor that is read; null: the input's own
  bool ring_needed = true;            // false: without a ring, one synchronous read at a time
};

/// Reads blocks ahead of the reader. After a short read it completes the block from the input's own
/// descriptor, which also reads a tail that O_DIRECT cannot read. If the ring may hide a short read, it reads
/// one block at a time without the ring.
class read_queue final : public active_method {
 public:
  read_queue(const open_file& input, const queue_options& options);
  ~read_queue() override;

  std::span<char> next() override;
  void seek(std::uint64_t offset) override;

 private:
  struct slot {
    explicit slot(std::size_t size) : memory(size) {}
    buffer memory;
    std::uint64_t offset = 0;
    std::optional<int> result = {};  // bytes or a negative errno, once the read has ended
    bool in_flight = false;          // the system may write to `memory`
  };

  void stand_at(std::uint64_t offset);
  void try_ring();
  void judge_ring();
  void take(const os::ring::completion& done);
  std::span<char> next_uncancelled();
  std::size_t read_now(slot& into) const;
  void throw_if_abandoned() const;
  void refill();
  void start(std::size_t index);
  void wait_for(std::size_t index);
  void drain() noexcept;
  void abandon(int code) noexcept;
  void add_slots(std::size_t count);
  void deepen(waiting::clock::duration waited) noexcept;
  std::size_t complete(slot& done);

  const open_file& input_;
  queue_options options_;
  std::uint64_t next_offset_ = 0;  // where the next read to be started begins
  std::uint64_t delivered_ = 0;    // the offset of the first byte not handed out yet
  std::size_t skip_ = 0;           // bytes of the next block that lie before the position asked for
  std::optional<os::ring> ring_;
  std::optional<int> trial_ = {};  // the result of the read that shows whether the ring hides short reads
  bool trying_ring_ = false;       // until it was judged
  std::vector<slot> slots_;
  std::vector<std::size_t> idle_;    // slots free to be started
  std::deque<std::size_t> queued_;   // slots in the order of their offsets; the front is delivered next
  std::optional<int> abandoned_;     // the errno of a ring that failed with reads in flight
  std::optional<std::size_t> lent_;  // the slot whose block the caller holds
};

}  // namespace riffle::inline v0
