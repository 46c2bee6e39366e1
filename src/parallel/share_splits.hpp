/// Lets threads take the splits of an open input, one after the other, by a reader for each thread.
#pragma once

#include <atomic>
#include <cstddef>

#include "parallel/threads.hpp"
#include "source/cache_dropper.hpp"
#include "source/source_state.hpp"

namespace riffle::inline v0 {

/// Each thread makes a reader of its own, a std::unique_ptr, and calls `take(*reader, index)` with the index
/// of the next split, until that returns false: there is no such split. A thread that cannot make a reader
/// leaves its work to the others. `failed` is called when a failure was noted. Returns false if no thread
/// could make one: nothing was taken. Throws the failure of the first split.
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
  cache_dropper(input, opened.given()).drop(input.start, input.size());
  if (next == 0) return false;
  failure.rethrow();
  // A thread that read its split when the others had met the end already met no end itself.
  opened.require_whole();
  return true;
}

}  // namespace riffle::inline v0
