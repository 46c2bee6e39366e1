/// The numbers of each method where the user leaves them to it.
#ifndef RIFFLE_METHOD_BLOCK_SIZE_HPP
#define RIFFLE_METHOD_BLOCK_SIZE_HPP

#include <riffle/options.hpp>

#include <cstddef>

namespace riffle::inline v0 {

/// The size of a block. Asked for where an input is opened; a method is given the final number.
constexpr std::size_t default_block_size(method which) noexcept {
  constexpr std::size_t kib = 1024;
  switch (which) {
    case method::mmap:
      // Windows bound the memory, and these cost 2 % more than one mapping of the whole file (8 MiB: 1 %, 2
      // MiB: 6 %; at 1 MiB large folios are no longer mapped whole: 64 %).
      return 4 * 1024 * kib;
    case method::direct:
      // A device wants large requests, and several at once: it has no readahead but ours.
      return 512 * kib;
    case method::automatic:
    case method::read:
    case method::stdio:
    case method::iostream:
    case method::uring:
      break;
  }
  // It stays in the second-level cache of today's machines, and asks the kernel seldom enough.
  return 256 * kib;
}

/// Reads kept in flight by the methods that have a queue.
inline constexpr unsigned default_queue_depth = 8;

}  // namespace riffle::inline v0

#endif
