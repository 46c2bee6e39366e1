/// Cuts an input into splits: by positions, in turns, or by the blocks of one thread.
#pragma once

#include <riffle/error.hpp>
#include <riffle/parallel.hpp>

#include "source/source_state.hpp"

namespace riffle::inline v0 {

/// Returns the options with sizes that make sense.
parallel_options with_defaults(const source& from, parallel_options splitting);

/// Returns how many threads read the input, at most one for each split. Asks for the positions and the
/// processors only if there may be several splits. The size of a stream is 0.
unsigned threads_for(const source& from, const parallel_options& splitting);

/// Returns how one of several threads reads an open input: as was decided for it, by blocks that hold a split
/// and a little more, unless the user chose their size.
plan for_splits(const detail::source_state& opened, std::size_t split_size);

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
