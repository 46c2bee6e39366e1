/// The calls that only some kernels have, each with what to do on those that lack it.
#ifndef RIFFLE_OS_CALLS_HPP
#define RIFFLE_OS_CALLS_HPP

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace riffle::os {

/// O_DIRECT, or 0 where there is none.
extern const int direct_flag;

/// Opens the file of a descriptor anew, with open(2)'s flags; a file whose name has gone too. Returns the
/// descriptor, or -1 with errno, as on systems that have no such call.
int reopen(int descriptor, int flags) noexcept;

/// What O_DIRECT wants offsets, sizes and memory aligned to: as statx tells (Linux 6.1), else 4096, which
/// suits all block devices in use.
std::size_t direct_alignment(int descriptor);

/// The size of a block device in bytes; 0 when it cannot be told.
std::uint64_t block_device_size(int descriptor);

/// Makes a pipe hold 1 MiB where it holds less, so that its two ends take turns less often (F_SETPIPE_SZ).
/// Nothing happens to what is no pipe, or where the system does not allow it.
void widen_pipe(int descriptor) noexcept;

/// pread(2) that leaves nothing behind in the page cache (RWF_DONTCACHE, Linux 6.14). A plain pread(2) where
/// the kernel or the file system does not have it.
ssize_t pread_uncached(int descriptor, char* into, std::size_t size, std::uint64_t offset);

}  // namespace riffle::os

#endif
