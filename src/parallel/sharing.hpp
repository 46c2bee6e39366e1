/// Lets threads share an input: by positions, in turns, or by the blocks of one thread; and keeps the first
/// failure.
#pragma once

#include <riffle/error.hpp>
#include <riffle/parallel.hpp>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <string_view>

#include "source/source_state.hpp"

namespace riffle::inline v0 {

/// Runs `work` on that many threads, one of which is the calling one; on fewer if the system has no more.
/// `work` must not throw.
void run_on_threads(unsigned threads, const std::function<void()>& work);

/// Keeps the failure with the lowest index. The other threads stop as soon as there is one.
class first_failure {
 public:
  /// Notes the exception that is being handled.
  void note(std::size_t index) noexcept;
  /// Returns whether there is a failure.
  bool stop() const noexcept { return stop_; }
  /// Throws the failure, if there is one.
  void rethrow() const;

 private:
  std::mutex mutex_;
  std::size_t index_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr failure_;
  std::atomic<bool> stop_ = false;
};

/// Return the position after the first or the last delimiter of `bytes`; `std::nullopt` if there is none.
std::optional<std::size_t> behind_first(std::string_view bytes, char delimiter);
std::optional<std::size_t> behind_last(std::string_view bytes, char delimiter);

/// Returns the size of the whole records at the start of `bytes`, whose first `searched`
/// bytes hold no delimiter.
std::size_t whole_records(std::string_view bytes, std::size_t searched, const parallel_options& splitting);

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

/// Each thread makes a reader of its own, a pointer or a std::optional, and calls `take(*reader, index)` with
/// the index of the next split, which `take` may change, until that returns false: there is no such split. A
/// thread that cannot make a reader leaves its work to the others. `failed` is called when a failure was
/// noted. Returns false if no thread could make one: nothing was taken. Throws the failure of the first
/// split.
template <class Make, class Take, class Failed>
[[nodiscard]] bool share_splits(const detail::source_state& opened, unsigned threads, Make make, Take take,
                                Failed failed) {
  std::atomic<std::size_t> next = 0;
  first_failure failure;
  run_on_threads(threads, [&] {
    decltype(make()) reader;
    try {
      reader = make();
    } catch (...) {
      return;  // no descriptor or memory is left
    }
    std::size_t index = 0;
    try {
      while (!failure.stop() && take(*reader, index = next++)) continue;
    } catch (...) {
      failure.note(index);
      failed();
    }
  });
  // A thread that asks ahead asks for splits that another one has read and dropped.
  const open_file& input = *opened.input();
  if (!opened.given().keep_cache) cache_dropper(input).drop(input.start, input.size());
  if (next == 0) return false;
  failure.rethrow();
  // A thread that read its split when the others had met the end already met no end itself.
  opened.require_whole();
  return true;
}

/// Returns the options with sizes that make sense.
parallel_options with_defaults(const source& from, parallel_options splitting);

/// Returns how many threads read the input, at most one for each split. Asks for the positions and the
/// processors only if there may be several splits. The size of a stream is 0.
unsigned threads_for(const source& from, const parallel_options& splitting);

/// Returns how one of several threads reads an open input: as was decided for it, by blocks that hold a split
/// and a little more, unless the user chose their size.
plan for_splits(const detail::source_state& opened, std::uint64_t split_size);

/// Calls `f` for a split. An error that it throws may come of bytes that were lost: then `check` throws.
inline void hand_out(const detail::split_function& f, std::size_t index, const block* split,
                     const std::function<void()>& check) {
  try {
    f(index, split, check);
  } catch (const error&) {
    check();
    throw;
  }
}

/// Splits a seekable input: each thread seeks to a split and gathers the records that start in it. Returns
/// false if no thread has what it needs to read, such as a descriptor.
[[nodiscard]] bool split_by_positions(const detail::source_state& opened, const detail::split_function& f,
                                      const parallel_options& splitting, unsigned threads);

/// Splits any input in the calling thread: a split is the whole records of a block, or a part of them if they
/// are longer than a split.
void split_by_one(source& from, const detail::split_function& f, const parallel_options& splitting);

/// Splits any input: one thread at a time reads it, and copies a split for itself.
void split_in_turns(source from, const detail::split_function& f, const parallel_options& splitting,
                    unsigned threads);

}  // namespace riffle::inline v0
