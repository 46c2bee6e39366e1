/// The two ways to share an input among threads: by positions, or in turns.
#ifndef RIFFLE_PARALLEL_SPLITS_HPP
#define RIFFLE_PARALLEL_SPLITS_HPP

#include <riffle/parallel.hpp>

#include "source/reading.hpp"

namespace riffle {

/// Of an input that has positions: each thread goes to a split and gathers the records that start there.
void split_by_positions(const detail::reading& opened, const detail::split_function& f,
                        const parallel_options& splitting, unsigned threads);

/// Of any input: it is read by one thread at a time, which copies a split out of it.
void split_in_turns(source from, const detail::split_function& f, const parallel_options& splitting,
                    unsigned threads);

}  // namespace riffle

#endif
