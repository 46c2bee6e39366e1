/// Decides how many threads share an open input, and how.
#include <riffle/methods.hpp>
#include <riffle/parallel.hpp>

#include <algorithm>
#include <utility>

#include "os/cancellation.hpp"
#include "parallel/split_input.hpp"
#include "parallel/threads.hpp"

namespace riffle::inline v0 {

namespace {

// Offsets of splits and the sizes of rounded ones cannot overflow.
constexpr std::size_t largest_split = std::size_t{1} << (sizeof(std::size_t) == 8 ? 40U : 30U);  // tuning

// Returns whether several threads can read at positions of their own. A stream of the C or C++ library has
// one position, so each thread needs a descriptor that was opened again.
bool can_be_shared(const detail::source_state& opened) {
  if (!info_of(opened.method()).one_position) return true;
  try {
    static_cast<void>(opened.input()->file.reopen());
    return true;
  } catch (const error&) {
    return false;
  }
}

}  // namespace

unsigned threads_for(const source& from, const parallel_options& splitting) {
  const std::uint64_t left = from.size_hint() - std::min(from.size_hint(), from.start());
  const std::uint64_t splits = left / splitting.split_size + 1;
  if ((left == 0 || splits > 1) && !from.seekable()) return thread_count(splitting.threads);
  if (splits == 1) return 1;
  const std::uint64_t threads = std::min<std::uint64_t>(thread_count(splitting.threads), splits);
  return threads == 1 || !can_be_shared(detail::source_state::of(from)) ? 1 : static_cast<unsigned>(threads);
}

parallel_options with_defaults(const source& from, parallel_options splitting) {
  if (splitting.record_size == 0) {
    throw error(errc::invalid_argument, "read", from.name(), std::nullopt,
                "record_size is 0; a record has 1 byte at least");
  }
  if (splitting.split_size == 0) splitting.split_size = parallel_options().split_size;
  splitting.split_size = std::min(splitting.split_size, largest_split);
  if (!splitting.delimiter) {  // round up to whole records
    const std::size_t rest = splitting.split_size % splitting.record_size;
    if (rest != 0) splitting.split_size += splitting.record_size - rest;
  }
  return splitting;
}

plan for_splits(const detail::source_state& opened, std::size_t split_size) {
  // A longer split is gathered from several blocks, so that no memory is taken for bytes that
  // may not be there.
  constexpr std::size_t longest_block = std::size_t{64} << 20U;  // tuning
  constexpr std::size_t overhang = 16 * 1024;  // tuning: completes the last record of a split
  return opened.how().for_one_of_several(std::min(split_size, longest_block) + overhang);
}

void detail::each_split(source from, const split_function& f, const parallel_options& options) {
  const os::uncancelled running;
  const parallel_options splitting = with_defaults(from, options);
  const unsigned threads = threads_for(from, splitting);
  if (threads == 1) return split_by_one(from, f, splitting);
  if (!from.seekable()) return split_in_turns(std::move(from), f, splitting, threads);
  if (!split_by_positions(source_state::of(from), f, splitting, threads)) split_by_one(from, f, splitting);
}

}  // namespace riffle::inline v0
