/// The methods `uring` and `direct`: reads kept in flight, whose blocks are handed out in order.
#include <algorithm>
#include <array>
#include <cerrno>
#include <deque>
#include <limits>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "method/active_method.hpp"
#include "method/read_ahead.hpp"
#include "os/facts.hpp"
#include "os/mapping.hpp"
#include "os/ring.hpp"
#include "os/threads.hpp"

namespace riffle::inline v0 {

namespace {

struct queue_options {
  std::size_t block_size;
  unsigned depth;                     // 0: the default, and more while it waits
  std::size_t deepest = 0;            // so many more; found by the queue
  std::size_t alignment = 1;          // of offsets; a power of two
  const os::file* through = nullptr;  // the descriptor that is read; null: the input's own
  bool ring_needed = true;            // false: without a ring, one synchronous read at a time
};

constexpr std::size_t tag_of_trial = std::numeric_limits<std::size_t>::max();

// A small file needs one block and its end: with O_DIRECT the OS kernel prepares a whole block before it
// reads, and each block in flight takes a buffer. One block at a time is in flight if the size is unknown or
// the bytes come in turn.
queue_options fitting(queue_options options, const open_file& input) {
  options.deepest = options.depth;
  if (options.depth == 0) {
    options.depth = 1;
    options.deepest = waiting::deepest(options.block_size);
  }
  if (input.size() == 0) {
    options.deepest = options.depth = 1;
    return options;
  }
  const std::uint64_t unit = std::max<std::uint64_t>(options.alignment, 4096);  // buffers are aligned so
  const std::uint64_t all = (input.size() / unit + 1) * unit;
  options.block_size = static_cast<std::size_t>(std::min<std::uint64_t>(options.block_size, all));
  const std::uint64_t blocks = input.size() / options.block_size + 1;
  options.depth = static_cast<unsigned>(std::min<std::uint64_t>(options.depth, blocks));
  options.deepest = static_cast<std::size_t>(std::min<std::uint64_t>(options.deepest, blocks));
  return options;
}

// Reads blocks ahead of the reader. After a short read it completes the block from the input's own
// descriptor, which also reads a tail that O_DIRECT cannot read. If the ring may hide a short read, it reads
// one block at a time without the ring.
class read_queue final : public active_method {
 public:
  read_queue(const open_file& input, const queue_options& options)
      : input_(input), options_(fitting(options, input)) {
    if (options_.through == nullptr) options_.through = &input.file;
    try {
      ring_.emplace(static_cast<unsigned>(options_.deepest), input.name());
    } catch (const error&) {
      if (options_.ring_needed) throw;
      options_.deepest = options_.depth = 1;
    }
    add_slots(options_.depth);
    stand_at(input.start);
    if (ring_ && os::ring::may_hide_short_reads(*options_.through)) try_ring();
  }
  ~read_queue() override { drain(); }

  std::span<char> next() override {
    const std::span<char> block = next_uncancelled();
    os::end_if_cancelled();
    return block;
  }
  void seek(std::uint64_t offset) override {
    drain();
    if (lent_) idle_.push_back(*lent_);
    lent_.reset();
    stand_at(offset);
  }

 private:
  struct slot {
    explicit slot(std::size_t size) : memory(size) {}
    buffer memory;
    std::uint64_t offset = 0;
    std::optional<int> result = {};  // bytes or a negative errno, once the read has ended
    bool in_flight = false;          // the system may write to `memory`
  };

  void stand_at(std::uint64_t offset) {
    next_offset_ = offset & ~(std::uint64_t{options_.alignment} - 1);
    skip_ = static_cast<std::size_t>(offset - next_offset_);
    delivered_ = offset;
  }
  // Reads the last byte of the file and one after it while the first blocks are read. A short answer shows
  // that the ring reports short reads. Nobody looks at the bytes, so the OS kernel may write them at any
  // time. What is read in order, or has no size, gives no such answer.
  void try_ring() {
    static std::array<char, 2> bytes;
    if (!input_.seekable() || input_.size() == 0) {
      ring_.reset();
      return;
    }
    ring_->start(options_.through->descriptor(), bytes, input_.size() - 1, tag_of_trial);
    trying_ring_ = true;
    if (ring_->ready()) judge_ring();  // such a server answers before `start` returns
  }
  // Begins again without the ring unless it has reported the short read: the server may also have more or
  // fewer bytes than the size that it reports.
  void judge_ring() {
    while (!trial_) take(ring_->wait());
    trying_ring_ = false;
    if (*trial_ == 1) return;
    drain();
    throw_if_abandoned();
    ring_.reset();
    options_.deepest = slots_.size();
    stand_at(delivered_);
  }
  // A signal, or the end of the thread that started a read, cancels it before it has taken anything.
  void take(const os::ring::completion& done) {
    if (done.tag == tag_of_trial) {
      trial_ = done.result;
      return;
    }
    slots_[done.tag].result = done.result;
    slots_[done.tag].in_flight = false;
    if (done.result == -EAGAIN || done.result == -EINTR || done.result == -ECANCELED) {
      options_.through->wait();
      start(done.tag);
    }
  }
  // Requests in flight write to its buffers.
  std::span<char> next_uncancelled() {
    const os::uncancelled reading;
    throw_if_abandoned();
    if (lent_) idle_.push_back(*lent_);
    lent_.reset();
    refill();
    if (trying_ring_) {
      judge_ring();
      refill();
    }
    const std::size_t index = queued_.front();
    const auto start = waiting::clock::now();
    wait_for(index);
    deepen(waiting::clock::now() - start);
    slot& done = slots_[index];
    std::size_t count = complete(done);
    queued_.pop_front();
    lent_ = index;
    const std::size_t before = std::min(skip_, count);
    skip_ -= before;
    if (input_.seekable() && count < options_.block_size) {  // the current end: the reads ahead lie after it
      drain();
      next_offset_ = done.offset + count;
      skip_ = static_cast<std::size_t>(next_offset_ % options_.alignment);
      next_offset_ -= skip_;
    }
    delivered_ += count - before;
    return done.memory.space().subspan(before, count - before);
  }
  std::size_t read_now(slot& into) const {
    const os::file& from = *options_.through;
    return input_.seekable() ? from.read_at(into.memory.space(), into.offset)
                             : from.read(into.memory.space(), delivered_);
  }
  void throw_if_abandoned() const {
    if (!abandoned_) return;
    os::fail("read", input_.name(), delivered_, *abandoned_, "the ring failed; open the input again");
  }
  // Reads at least once beyond the reported size, as that may be wrong, but not far beyond.
  void refill() {
    while (!idle_.empty() && (queued_.empty() || next_offset_ < input_.size())) {
      const std::size_t index = idle_.back();
      idle_.pop_back();
      slots_[index].offset = next_offset_;
      next_offset_ += options_.block_size;
      queued_.push_back(index);
      start(index);
    }
  }
  void start(std::size_t index) {
    slot& starting = slots_[index];
    starting.result.reset();
    if (!ring_) return;
    const std::optional<std::uint64_t> offset =
        input_.seekable() ? std::optional(starting.offset) : std::nullopt;
    ring_->start(options_.through->descriptor(), starting.memory.space(), offset, index);
    starting.in_flight = true;
  }
  void wait_for(std::size_t index) {
    slot& wanted = slots_[index];
    if (!ring_) {
      try {
        wanted.result = static_cast<int>(read_now(wanted));
      } catch (const error& failure) {
        wanted.result = -failure.code().value();
      }
    }
    while (!wanted.result) take(ring_->wait());
  }
  // Waits for all reads in flight, as the OS kernel may still write to their buffers, and drops them.
  void drain() noexcept {
    const os::uncancelled draining;
    while (!queued_.empty()) {
      const std::size_t index = queued_.front();
      queued_.pop_front();
      try {
        if (ring_ && ring_->ours() && slots_[index].in_flight) wait_for(index);
      } catch (const error& failure) {
        abandon(failure.code().value());
      } catch (const std::bad_alloc&) {
        abandon(ENOMEM);
      }
      idle_.push_back(index);
    }
  }
  // The system refuses to say whether it still writes to the buffers, so they are never used again, nor
  // freed.
  void abandon(int code) noexcept {
    ring_.reset();
    abandoned_ = code;
    for (slot& each : slots_) {
      if (std::exchange(each.in_flight, false)) static_cast<void>(each.memory.release());
    }
  }
  // The place for all of them to be idle is made now, as `drain` must not fail.
  void add_slots(std::size_t count) {
    slots_.reserve(slots_.size() + count);
    idle_.reserve(slots_.size() + count);
    for (; count != 0; --count) {
      slots_.emplace_back(options_.block_size);
      idle_.push_back(slots_.size() - 1);
    }
  }
  // Keeps as many reads in flight as the storage could answer in the time of a wait, in an eighth of the
  // memory there is. If there is no memory for them, what there is does.
  void deepen(waiting::clock::duration waited) noexcept {
    const std::size_t depth = waiting::answered_in(waited, options_.block_size, options_.deepest);
    if (depth <= slots_.size()) return;
    try {
      const auto bounded = static_cast<std::size_t>(
          std::min<std::uint64_t>(depth, waiting::share_of_memory() / options_.block_size));
      if (bounded > slots_.size()) add_slots(bounded - slots_.size());
    } catch (const std::bad_alloc&) {
      options_.deepest = slots_.size();
    }
  }
  // Returns the bytes of a block whose read has ended. After a short read or a failure it reads the rest from
  // the input's own descriptor, which tells the end from a failure and gives its exact offset. The bytes
  // before a failure are delivered first. The next block starts at the failure and throws.
  std::size_t complete(slot& done) {
    const int result = *done.result;
    const bool refused = result == -EINVAL && options_.alignment != 1;
    if (refused) {
      throw os::refused(errc::method_unavailable, "read", input_.file.name(), done.offset,
                        "the file system refuses O_DIRECT here", {advice::use_method, "read"});
    }
    if (result < 0 && !input_.seekable()) os::fail("read", input_.file.name(), delivered_, -result);
    std::size_t count = static_cast<std::size_t>(std::max(result, 0));
    const std::span<char> space = done.memory.space();
    while (input_.seekable() && count < space.size()) {
      try {
        const std::size_t more = input_.file.read_at(space.subspan(count), done.offset + count);
        if (more == 0) break;
        count += more;
      } catch (const error& failure) {
        if (done.offset + count > delivered_) break;
        throw error(failure.code(), failure.operation(), failure.path(), delivered_);
      }
    }
    return count;
  }

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

// Owns the second descriptor that reads past the page cache.
class direct_method final : public active_method {
 public:
  direct_method(const open_file& input, const read_options& options)
      : file_(reopen(input.file)), queue_(input, queue_for(options)) {}

  std::span<char> next() override { return queue_.next(); }
  void seek(std::uint64_t offset) override { queue_.seek(offset); }

 private:
  static os::file reopen(const os::file& file) {
    try {
      return file.reopen_direct();
    } catch (const error& failure) {
      if (failure.code() != std::errc::invalid_argument &&
          failure.code() != std::errc::operation_not_supported) {
        throw os::refused(failure);
      }
      throw os::refused(errc::method_unavailable, "read", file.name(), std::nullopt,
                        "the file system refuses O_DIRECT: " + failure.code().message(),
                        {advice::use_method, "read"});
    }
  }

  queue_options queue_for(const read_options& options) const {
    const std::size_t alignment = os::direct_alignment(file_.descriptor());
    return {.block_size = static_cast<std::size_t>(os::round_up(options.block_size, alignment)),
            .depth = options.queue_depth,
            .alignment = alignment,
            .through = &file_,
            .ring_needed = false};
  }

  os::file file_;
  read_queue queue_;
};

}  // namespace

std::unique_ptr<active_method> open_uring(const open_file& input, const method_options& options) {
  advise(input, options);
  return std::make_unique<read_queue>(
      input, queue_options{.block_size = options.block_size, .depth = options.queue_depth});
}

std::unique_ptr<active_method> open_direct(const open_file& input, const method_options& options) {
  return std::make_unique<direct_method>(input, options);
}

}  // namespace riffle::inline v0
