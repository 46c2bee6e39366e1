/// The sizes of blocks, and how often a mapping is checked.
#pragma once

#include <riffle/version.hpp>

#include <cstddef>

namespace riffle::inline v0 {

/// The sizes of a block in bytes, by default. One that is copied stays in the second-level cache if that has
/// 512 KiB or more, and system calls are few.
inline constexpr std::size_t copied_block = std::size_t{256} << 10U;
/// A window bounds the mapped memory. Below 2 MiB, large folios are not mapped whole. docs/choosing.md has
/// the times of other sizes, and the command that measures them.
inline constexpr std::size_t mapped_block = std::size_t{4} << 20U;
/// O_DIRECT has no readahead, so storage needs large requests, several at once. FUSE takes no larger ones.
inline constexpr std::size_t direct_block = std::size_t{1} << 20U;

/// The bytes of a mapping that are handed out between two checks, unless `allow_larger_blocks` was called. A
/// check is one lseek(2), or one fstat(2) for a descriptor that is the user's, which takes about 1 % of the
/// time in which the lines of so many bytes are counted.
inline constexpr std::size_t checked_part = std::size_t{256} << 10U;

}  // namespace riffle::inline v0
