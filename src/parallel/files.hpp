/// Many inputs are read side by side by several threads,
/// and what comes out is what one thread would have given.
#ifndef RIFFLE_PARALLEL_FILES_HPP
#define RIFFLE_PARALLEL_FILES_HPP

#include <riffle/detail/ordered.hpp>
#include <riffle/source.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "parallel/threads.hpp"

namespace riffle {

/// The indices below a count, handed out in short stretches.
class index_queue {
 public:
  index_queue(std::size_t count, unsigned threads) : count_(count), threads_(threads) {}

  /// Sets `begin` and `end`; false when there are no more. Many at a time while there are many, so that the
  /// threads seldom meet; one at a time towards the end, so that they end together.
  bool take(std::size_t& begin, std::size_t& end);

 private:
  std::size_t count_;
  std::size_t threads_;
  std::atomic<std::size_t> next_ = 0;
};

/// How the inputs are read that several threads take from a list.
enum class sharing : std::uint8_t {
  side_by_side,  // each by one thread
  in_turn,       // by one thread, when all before are finished: a pipe, a device
  by_all         // by all threads, likewise: a large file, or the only one
};

/// Whether to open an input only when all before it are finished.
/// What is open already may be the same as one of those.
bool opens_in_turn(const input& from) noexcept;
/// The indices of the descriptors among the inputs that cannot be read, and why: asked before any file is
/// opened, which may get the number of one that is closed.
std::map<std::size_t, std::exception_ptr> unreadable_descriptors(std::span<const input> files);
/// What to do with an input, just opened.
sharing sharing_of(const source& opened, const input& from, std::size_t count, unsigned threads);

/// The size of a regular file; nothing of anything else.
std::optional<std::uint64_t> regular_size(source& opened);

/// What is done with each of many inputs. A result is filled as the input is read, so that after a failure it
/// holds what was right before; it has a value as soon as the input is open.
template <class Result>
struct file_work {
  /// Reads to the end. Called on several threads at once.
  std::function<void(source& opened, std::optional<Result>& result)> read;
  /// Reads to the end by so many threads.
  std::function<void(source opened, unsigned threads, std::optional<Result>& result)> share;
  /// Called in the order of the inputs, never two at a time; with no value where the input could not be read
  /// at all, and with what `read` or `share` threw.
  std::function<void(std::size_t index, const std::optional<Result>& result,
                     const std::exception_ptr& failure)>
      finish = {};
  /// Called when all inputs before are finished and one is
  /// next that may take long: nothing is to be held back.
  std::function<void()> catch_up = [] {};
};

/// Does the work on all inputs, each opened once. What is not to be read side
/// by side (standard input, a pipe, a device, a large file) is read when all
/// inputs before it are finished. Throws what `finish` and `catch_up` do.
template <class Result>
void read_files(std::span<const input> files, unsigned threads, const read_options& options,
                const file_work<Result>& work) {
  struct outcome {
    std::size_t index;
    std::optional<Result> result = {};
    std::exception_ptr failure = {};
  };
  threads = thread_count(threads);
  const auto workers = static_cast<unsigned>(std::clamp<std::size_t>(files.size(), 1, threads));
  index_queue indices(files.size(), workers);
  std::map<std::size_t, std::exception_ptr> unreadable;
  if (threads != 1) unreadable = unreadable_descriptors(files);
  detail::ordered<outcome> outcomes;
  first_failure failure;

  // False when all is to stop.
  const auto wait_for = [&](std::size_t index) {
    if (!outcomes.wait_for(index)) return false;
    if (index != 0) work.catch_up();
    return true;
  };
  const auto read = [&](outcome& file) {
    const input& from = files[file.index];
    if (const auto found = unreadable.find(file.index); found != unreadable.end()) {
      file.failure = found->second;
      return;
    }
    if (threads != 1 && opens_in_turn(from) && !wait_for(file.index)) return;
    std::optional<source> opened;
    try {
      opened.emplace(from, options);
    } catch (...) {
      file.failure = std::current_exception();
      return;
    }
    const sharing how = sharing_of(*opened, from, files.size(), threads);
    if (how != sharing::side_by_side && !wait_for(file.index)) return;
    try {
      if (how == sharing::by_all) {
        work.share(*std::move(opened), threads, file.result);
      } else {
        work.read(*opened, file.result);
      }
    } catch (...) {
      file.failure = std::current_exception();
    }
  };
  run_on_threads(workers, [&] {
    std::size_t begin = 0;
    std::size_t end = 0;
    try {
      while (indices.take(begin, end)) {
        for (; begin != end; ++begin) {
          outcome file{begin};
          read(file);
          const bool goes_on = outcomes.add(begin, std::move(file), [&](outcome&& done) {
            work.finish(done.index, done.result, done.failure);
          });
          if (!goes_on) return;
        }
      }
    } catch (...) {
      failure.note(begin);
      outcomes.stop();
    }
  });
  failure.rethrow();
}

}  // namespace riffle

#endif
