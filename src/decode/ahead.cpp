/// The threads that decode, and the order of what they make.
#include "decode/ahead.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "decode/block_queue.hpp"
#include "os/threads.hpp"

namespace riffle::inline v0::decode {

namespace {

// A part that is checked as a whole is held back until then, up to this size.
constexpr std::size_t most_held_back = std::size_t{8} << 20U;
// The blocks that are decoded ahead; more if parts of 8 MiB are decoded side by side.
constexpr std::size_t most_blocks = (std::size_t{16} << 20U) / copied_block;
// Parts in the works for each thread, so that none waits for the one that is read.
constexpr std::size_t parts_of_thread = 4;
constexpr std::chrono::milliseconds longest_wait{50};

// Keeps the first `size` bytes.
void shorten(std::deque<decoded_block>& blocks, std::uint64_t size) {
  for (decoded_block& each : blocks) {
    each.size = static_cast<std::size_t>(std::min<std::uint64_t>(each.size, size));
    size -= each.size;
  }
}

}  // namespace

struct decode_ahead::shared {
  shared(const format& of, compressed_input& from, unsigned count, begun_work&& begun)
      : kind(of),
        input(from),
        threads_wanted(count),
        queue(count * parts_of_thread, of.cut == nullptr ? most_blocks : most_blocks + most_blocks / 2),
        taken(begun.taken),
        cut_at(begun.cut_at),
        met(std::move(begun.met)),
        reader(begun.reader) {}

  /// A part that is being decoded, and its blocks that wait until their checksums were right.
  struct work {
    block_queue::caller by;
    block_queue::ticket part = 0;
    cut_part cut = {};  // it is decoded alone, if it has bytes
    std::optional<compressed_input> bytes = {};
    std::optional<member_reader> from = {};
    member_reader* reader = nullptr;  // `from`, or the one that was begun
    bool hold_back = false;
    std::deque<decoded_block> held = {};
  };
  enum class outcome : std::uint8_t { more, ended, stopped };

  void decode_all() {
    try {
      const std::unique_ptr<codec> by = kind.open(threads_wanted);
      work mine{.by = block_queue::caller::decoder};
      while (take_part(*by, mine)) continue;
    } catch (...) {  // there is no memory for a codec, or for a part
      const std::lock_guard lock(turn);
      ended = true;
      if (whole) queue.end(*std::exchange(whole, {}), true, std::current_exception());
      queue.fail(std::current_exception());
    }
  }
  // Takes the next part and decodes it, or returns true as another thread took the room. Returns false if
  // there is none.
  bool take_part(codec& by, work& mine) {
    if (!queue.wait_for_room()) return false;
    std::unique_lock lock(turn);
    turn_ended.wait(lock, [this] { return !in_order; });
    if (ended) return false;
    const auto part = whole ? std::exchange(whole, {}) : queue.begin(mine.by);
    if (!part) return true;
    mine.part = *part;
    bool done = false;
    bool keeps_turn = false;
    try {
      if (!open(mine, by)) return false;
      in_order = keeps_turn = !mine.hold_back;
      lock.unlock();
      done = decode(mine) == outcome::ended;
    } catch (...) {
      fail(mine);
    }
    if (keeps_turn) {
      lock.lock();
      in_order = false;
      turn_ended.notify_all();
    }
    return done;
  }
  // Lets the thread that reads decode what no other thread has begun. Returns false if there is nothing.
  bool help() {
    std::unique_lock lock(turn, std::defer_lock);
    try {
      if (!own) {
        lock.lock();
        if (in_order || ended || whole || reader != nullptr) return false;
        const auto part = queue.begin(block_queue::caller::reader);
        if (!part) return false;
        own.emplace(block_queue::caller::reader, *part);
        if (!own_codec) own_codec = kind.open(threads_wanted);
        if (!open(*own, *own_codec)) {
          own.reset();
          return true;
        }
        if (!own->hold_back && !threads.empty()) {
          whole = part;
          own.reset();
          return false;
        }
        lock.unlock();
      } else if (!queue.is_next(own->part)) {
        return false;
      }
      if (decode(*own) == outcome::ended) own.reset();
    } catch (...) {
      if (!own) throw;
      fail(*own);
      own.reset();
    }
    return true;
  }
  // Finds the bytes of a part; those that follow in the input if none can be cut off. Returns false, and ends
  // the part, at the end of the input.
  bool open(work& of, codec& by) {
    const bool begun = reader != nullptr;
    if (!begun && !cut_next(of.cut)) {
      ended = true;
      queue.end(of.part, true);
      return false;
    }
    of.hold_back = !of.cut.bytes.empty();
    if (of.hold_back) {
      of.bytes.emplace(std::string_view(of.cut.bytes.data(), of.cut.bytes.size()), of.cut.offset);
      of.reader = &of.from.emplace(kind, *of.bytes, by, false);
    } else {
      of.reader = begun ? std::exchange(reader, nullptr) : &of.from.emplace(kind, input, by, false);
      of.reader->stop_before_part(met, cut_at);
    }
    return true;
  }
  // Goes to the next part. Returns false at the end of the input.
  bool cut_next(cut_part& next) try {
    next.bytes.clear();
    std::swap(next, met);
    if (next.bytes.empty() && !to_part(kind, input, next, cut_at)) return false;
    input.check();
    return true;
  } catch (const damage& what) {
    throw failure(what, input.offset(), 0);
  }
  // Decodes a part to its end. The thread that reads stops where others would wait for room.
  outcome decode(work& of) {
    while (true) {
      const outcome came = decode_block(of);
      if (came == outcome::ended) queue.end(of.part, false);
      if (came != outcome::more || (of.by == block_queue::caller::reader && !of.hold_back)) return came;
    }
  }
  // Decodes the next block of a part, and adds it to the queue. What is held back is handed on once its
  // checksums were right.
  outcome decode_block(work& of) {
    const auto put_held = [&] {
      for (; !of.held.empty(); of.held.pop_front()) {
        if (!queue.put(of.part, std::move(of.held.front()))) return false;
      }
      return true;
    };
    try {
      auto fresh = queue.fresh(of.part, of.by);
      if (!fresh) return outcome::stopped;
      decoded_block& filled = of.held.emplace_back(std::move(*fresh));
      std::size_t more = 1;
      while (more != 0 && filled.size != copied_block) {
        more = of.reader->read(filled.memory.space().subspan(filled.size));
        filled.size += more;
      }
      filled.used = used_by(of);
      if (of.held.size() * copied_block > most_held_back) of.hold_back = false;
      if ((more == 0 || !of.hold_back) && !put_held()) return outcome::stopped;
      return more == 0 ? outcome::ended : outcome::more;
    } catch (...) {
      if (of.hold_back) shorten(of.held, of.reader->verified());
      put_held();
      throw;
    }
  }
  // Returns the offset in the input after what a part has used of it. One that was read in order may have cut
  // off the next part.
  std::uint64_t used_by(const work& of) const noexcept {
    if (!of.cut.bytes.empty()) return std::min(of.bytes->offset(), of.cut.end);
    return met.bytes.empty() ? input.offset() : met.offset;
  }
  // Ends a part, and the input, by the exception that is being handled.
  void fail(work& of) {
    ended = true;
    queue.end(of.part, true, std::current_exception());
  }

  const format& kind;
  compressed_input& input;
  unsigned threads_wanted;
  block_queue queue;
  std::vector<std::thread> threads;
  decoded_block current{.memory = buffer(copied_block)};
  std::uint64_t taken;            // bytes handed out
  std::uint64_t before_part = 0;  // of them
  bool at_end = false;            // all were

  std::mutex turn;  // to read the input, and what follows
  std::condition_variable turn_ended;
  bool in_order = false;  // a thread has the turn for a whole part
  std::atomic<bool> ended = false;
  cut_state cut_at;
  cut_part met;                              // by a thread that read in order
  member_reader* reader;                     // with which the first thread goes on
  std::optional<block_queue::ticket> whole;  // the next part, which a thread has to decode in order

  // What the thread that reads decodes itself.
  std::unique_ptr<codec> own_codec;
  std::optional<work> own;
};

decode_ahead::decode_ahead(const format& of, compressed_input& from, unsigned threads, begun_work begun)
    : shared_(std::make_unique<shared>(of, from, threads, std::move(begun))) {
  shared* const common = shared_.get();
  // Only one can decode what has no parts.
  const unsigned most = of.cut == nullptr || common->cut_at.in_order ? 1 : threads;
  const unsigned wanted = std::min(most, threads - 1);  // the thread that reads decodes too
  const os::without_signals inherited;                  // they call no function of the user
  try {
    while (common->threads.size() < wanted) common->threads.emplace_back([common] { common->decode_all(); });
  } catch (...) {  // there is no other thread, or no memory for it
    if (common->threads.empty()) throw;
  }
}

decode_ahead::~decode_ahead() {
  const os::uncancelled joining;
  if (shared_ == nullptr) return;
  shared_->queue.stop();
  for (std::thread& each : shared_->threads) each.join();
}

std::span<char> decode_ahead::next(callback waiting) {
  bool idle = false;
  while (true) {
    switch (shared_->queue.take(shared_->current, idle ? longest_wait : longest_wait.zero())) {
      case block_queue::found::block:
        shared_->taken += shared_->current.size;
        return shared_->current.bytes();
      case block_queue::found::end:
        shared_->at_end = true;
        return {};
      case block_queue::found::next_part:
        shared_->before_part = shared_->taken;
        idle = false;
        break;
      case block_queue::found::nothing_yet:
        if (idle && waiting) waiting();
        idle = !shared_->help();
    }
  }
}

void decode_ahead::go_on() {
  begun_work rest{.cut_at = shared_->cut_at, .taken = shared_->taken};
  rest.cut_at.stop = cut_state().stop;
  shared_ = std::make_unique<shared>(shared_->kind, shared_->input, 1, std::move(rest));
}

// At the end no thread reads the input, of which members without bytes may be the last.
std::uint64_t decode_ahead::used() const noexcept {
  return shared_->at_end ? shared_->input.offset() : shared_->current.used;
}

bool decode_ahead::failed() noexcept {
  return shared_->queue.failed();
}

std::uint64_t decode_ahead::before_part() const noexcept {
  return shared_->before_part;
}

void decode_ahead::abandon() noexcept {
  static_cast<void>(shared_.release());
}

}  // namespace riffle::inline v0::decode
