/// The threads that decode, and the order of what they make.
#include "decode/ahead.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "decode/block_queue.hpp"
#include "decode/members.hpp"
#include "os/calls.hpp"
#include "os/signals.hpp"

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

  void work();
  bool cut_next(cut_part& next);
  bool take_part(codec& by, cut_part& next);
  bool put_all(block_queue::ticket part, member_reader& from, bool hold_back);

  const format& kind;
  compressed_input& input;
  unsigned threads_wanted;
  block_queue queue;
  std::uint64_t process = os::process();
  std::vector<std::thread> threads;
  decoded_block current{.memory = buffer(copied_block)};
  std::uint64_t taken;            // bytes handed out
  std::uint64_t before_part = 0;  // of them

  std::mutex turn;  // to read the input, and what follows
  std::atomic<bool> ended = false;
  cut_state cut_at;
  cut_part met;           // by a thread that read in order
  member_reader* reader;  // with which the first thread goes on
};

// Decodes into blocks, and adds them to a part. Returns false if the queue was stopped. What is held back is
// handed on once its checksums were right.
bool decode_ahead::shared::put_all(block_queue::ticket part, member_reader& from, bool hold_back) {
  std::deque<decoded_block> held;
  const auto put_held = [&] {
    for (; !held.empty(); held.pop_front()) {
      if (!queue.put(part, std::move(held.front()))) return false;
    }
    return true;
  };
  try {
    while (true) {
      auto fresh = queue.fresh(part);
      if (!fresh) return false;
      decoded_block& filled = held.emplace_back(std::move(*fresh));
      std::size_t more = 1;
      while (more != 0 && filled.size != copied_block) {
        more = from.read(filled.memory.space().subspan(filled.size));
        filled.size += more;
      }
      if (more == 0) return put_held();
      if (held.size() * copied_block > most_held_back) hold_back = false;
      if (!hold_back && !put_held()) return false;
    }
  } catch (...) {
    if (hold_back) shorten(held, from.verified());
    put_held();
    throw;
  }
}

// Goes to the next member, and cuts a part off it if that is possible. Returns false at the end of the input.
bool decode_ahead::shared::cut_next(cut_part& next) try {
  next.bytes.clear();
  std::swap(next, met);
  while (next.bytes.empty()) {
    if (!cut_at.inside && !to_member(kind, input, false)) return false;
    const bool was_inside = cut_at.inside;
    static_cast<void>(cut(kind, input, next, cut_at));
    if (!was_inside) break;  // else the member ended
  }
  input.check();
  return true;
} catch (const damage& what) {
  throw failure(what, input.offset(), 0);
}

// Takes the next part and decodes it. Returns false if there is none.
bool decode_ahead::shared::take_part(codec& by, cut_part& next) {
  std::unique_lock mine(turn);
  if (ended) return false;
  const auto part = queue.begin();
  if (!part) return false;
  try {
    const bool more = reader != nullptr || cut_next(next);
    if (!more) {
      ended = true;
    } else if (next.bytes.empty()) {
      member_reader fresh(kind, input, by, false);
      member_reader& in_order = reader != nullptr ? *std::exchange(reader, nullptr) : fresh;
      in_order.stop_before_part(met, cut_at);
      if (!put_all(*part, in_order, false)) return false;
    } else {
      mine.unlock();
      compressed_input bytes(std::string_view(next.bytes.data(), next.bytes.size()), next.offset);
      member_reader alone(kind, bytes, by, false);
      if (!put_all(*part, alone, true)) return false;
    }
    queue.end(*part, !more);
    return more;
  } catch (...) {
    ended = true;
    queue.end(*part, true, std::current_exception());
    return false;
  }
}

void decode_ahead::shared::work() {
  try {
    const std::unique_ptr<codec> by = kind.open(threads_wanted);
    cut_part next;
    while (take_part(*by, next)) continue;
  } catch (...) {  // there is no memory for a codec, or for a part
    ended = true;
    queue.fail(std::current_exception());
  }
}

decode_ahead::decode_ahead(const format& of, compressed_input& from, unsigned threads, begun_work begun)
    : shared_(std::make_unique<shared>(of, from, threads, std::move(begun))) {
  shared* const common = shared_.get();
  // Only one can decode what has no parts.
  const unsigned wanted = of.cut == nullptr ? 1 : threads;
  const os::without_signals inherited;  // they call no function of the user
  try {
    while (common->threads.size() < wanted) common->threads.emplace_back([common] { common->work(); });
  } catch (...) {  // there is no other thread, or no memory for it
    if (common->threads.empty()) throw;
  }
}

decode_ahead::~decode_ahead() {
  if (was_forked()) {
    static_cast<void>(
        shared_.release());  // its threads are not there to be joined, and may have held its locks
    return;
  }
  shared_->queue.stop();
  for (std::thread& each : shared_->threads) each.join();
}

std::span<char> decode_ahead::next(callback waiting) {
  while (true) {
    switch (shared_->queue.take(shared_->current, longest_wait)) {
      case block_queue::found::block:
        shared_->taken += shared_->current.size;
        return shared_->current.bytes();
      case block_queue::found::end:
        return {};
      case block_queue::found::next_part:
        shared_->before_part = shared_->taken;
        break;
      case block_queue::found::nothing_yet:
        if (waiting) waiting();
    }
  }
}

std::uint64_t decode_ahead::before_part() const noexcept {
  return shared_->before_part;
}

bool decode_ahead::was_forked() const noexcept {
  return shared_->process != os::process();
}

}  // namespace riffle::inline v0::decode
