/// What the system tells of the machine, of file systems and of the page cache, and calls that not every OS
/// kernel has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "os/file.hpp"

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

/// Returns how many bytes the page cache can hold for this process without taking what others use: the memory
/// that is available, or the limit of the process's memory cgroup if that is less. It is found out once.
std::uint64_t memory_for_cache();

/// Returns how many threads of this process run at once: on the processors of its affinity mask, or by the
/// CPU quota of its control groups, rounded up, if that is less. The quota is found out once.
unsigned usable_processors() noexcept;

/// Bytes that one request to a device reads.
struct request_sizes {
  std::uint64_t readahead = 128 * 1024;  ///< by readahead
  std::uint64_t largest = 128 * 1024;    ///< at most
};

/// Returns the sizes for the device of a file system (`file_status::storage`). What the system does not tell
/// is 128 KiB, which every system since Linux 2.6 reads at once.
request_sizes request_sizes_of(std::uint64_t device);

/// Returns the name of the file system that holds the file: "ext4", "tmpfs", "proc"; empty if it is unknown.
std::string file_system_of(const file& file);

/// Returns whether a file system of that name keeps its files in memory only.
bool in_memory(std::string_view file_system) noexcept;
/// Returns whether another machine or another program serves its reads.
bool served_elsewhere(std::string_view file_system) noexcept;
/// Returns whether the page cache holds the pages of its files under another file.
bool is_layered(std::string_view file_system) noexcept;

/// Returns whether MADV_POPULATE_READ works (Linux 5.14). It is tried once.
bool can_populate();

/// Returns the number of pages of the range that are in the page cache; `std::nullopt` if the system does not
/// tell, as for a file of another user. `offset` is a multiple of the page size. It looks at every page: by
/// one cachestat call (Linux 6.5), else by the slower mincore.
std::optional<std::uint64_t> resident_pages(const file& file, std::uint64_t offset, std::uint64_t length);

/// Returns the share of `size` bytes of a file from `begin` on that is in the page cache, 0 to 1;
/// `std::nullopt` if it is unknown. It looks at two to eight samples, unlike `resident_pages`.
std::optional<double> resident_share(const file& file, std::uint64_t size, std::uint64_t begin = 0);

}  // namespace riffle::os
