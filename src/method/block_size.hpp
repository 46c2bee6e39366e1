/// The default block size and queue depth of each method, and how often a mapping is checked.
#ifndef RIFFLE_METHOD_BLOCK_SIZE_HPP
#define RIFFLE_METHOD_BLOCK_SIZE_HPP

#include <riffle/options.hpp>

#include <cstddef>

namespace riffle::inline v0 {

/// Returns the default size of a block in bytes. `resolve` calls it; a method gets the final number.
constexpr std::size_t default_block_size(method which) noexcept {
  constexpr std::size_t kib = 1024;
  switch (which) {
    case method::mmap:
      // A window bounds the mapped memory. Below 2 MiB, large folios are not mapped whole. docs/choosing.md
      // has the times of other sizes, and the command that measures them.
      return 4 * 1024 * kib;
    case method::direct:
      // O_DIRECT has no readahead, so storage needs large requests, several at once. FUSE takes no larger
      // ones.
      return 1024 * kib;
    case method::automatic:
    case method::read:
    case method::stdio:
    case method::iostream:
    case method::uring:
      break;
  }
  // A block stays in the second-level cache if that has 512 KiB or more, and system calls are few.
  return 256 * kib;
}

/// The bytes of a mapping that are handed out between two checks. A check is one fstat(2), which takes about
/// 1 % of the time in which the lines of so many bytes are counted.
inline constexpr std::size_t checked_part = std::size_t{256} << 10U;

/// The reads that a method with a queue keeps in flight: at first, and the most, and most bytes, that they
/// may grow to while it waits for its storage. docs/choosing.md has the figures.
inline constexpr unsigned first_queue_depth = 1;
inline constexpr unsigned largest_queue_depth = 64;
inline constexpr std::size_t largest_queue = std::size_t{48} << 20U;

}  // namespace riffle::inline v0

#endif
