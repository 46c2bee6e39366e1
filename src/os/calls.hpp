/// System calls that not every OS kernel has, each with a fall-back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace riffle::os {

/// Opens the file of a descriptor again, with the flags of open(2), also if its name was removed. Returns the
/// descriptor, or -1 with errno. It fails on systems that have no such call.
int reopen(int descriptor, int flags) noexcept;

/// Returns how often the calling thread has given up its processor in order to wait: for storage, for another
/// thread. It does not count how often another thread was preferred.
std::uint64_t waits_of_thread() noexcept;

/// Returns the number of this process.
std::uint64_t process() noexcept;

/// Returns how many more descriptors this process may open (RLIMIT_NOFILE); a large number if it is unknown.
std::size_t free_descriptors() noexcept;

/// Gives the calling thread a table of descriptors of its own, with copies of 0, 1 and 2 alone (Linux 5.9).
/// It does nothing if the system refuses.
void separate_descriptors() noexcept;

/// Returns why riffle cannot go past the page cache on this system; `std::nullopt` if it can.
std::optional<std::string> direct_unavailable();

/// Returns the alignment in bytes that O_DIRECT needs for offsets, sizes and memory: the one that statx
/// reports (Linux 6.1), else 4096.
std::size_t direct_alignment(int descriptor);

/// Returns the size of a block device in bytes; 0 if it is unknown.
std::uint64_t block_device_size(int descriptor);

/// Allocates a hole of a file. Returns 0 if there is room, or if the file system does not say; else the errno
/// that says why not (ENOSPC, EDQUOT).
int cannot_allocate(int descriptor, std::uint64_t offset, std::size_t length) noexcept;

/// Sets the capacity of a smaller pipe to 1 MiB, so that its two ends alternate less often (F_SETPIPE_SZ). It
/// does nothing if the descriptor is no pipe or the system refuses.
void widen_pipe(int descriptor) noexcept;

/// Calls pread(2) so that the pages read do not stay in the page cache (RWF_DONTCACHE, Linux 6.14). It is a
/// plain pread(2) if the OS kernel or the file system does not support that.
std::ptrdiff_t pread_uncached(int descriptor, char* into, std::size_t size, std::uint64_t offset);

}  // namespace riffle::os
