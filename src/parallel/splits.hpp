/// The ways to cut an input into splits: by positions, in turns, or as the blocks of one thread come.
#ifndef RIFFLE_PARALLEL_SPLITS_HPP
#define RIFFLE_PARALLEL_SPLITS_HPP

#include <riffle/parallel.hpp>

#include "source/reading.hpp"

namespace riffle::inline v0 {

/// Of an input that has positions: each thread goes to a split and gathers the records that start there.
void split_by_positions(const detail::reading& opened, const detail::split_function& f,
                        const parallel_options& splitting, unsigned threads);

/// Of any input, on the calling thread: the whole records of each block, cut where they are longer than a
/// split.
void split_by_one(source& from, const detail::split_function& f, const parallel_options& splitting);

/// Of any input: it is read by one thread at a time, which copies a split out of it.
void split_in_turns(source from, const detail::split_function& f, const parallel_options& splitting,
                    unsigned threads);

}  // namespace riffle::inline v0

#endif
