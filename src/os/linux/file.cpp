/// The calls on files that only Linux has, each with a fall-back, and what it tells of file systems and of
/// the page cache.
#include <dirent.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdio_ext.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/remembered.hpp"
#include "os/facts.hpp"
#include "os/file.hpp"
#include "os/mapping.hpp"
#include "os/posix/calls.hpp"
#include "os/stream.hpp"
#include "os/threads.hpp"

// ThreadSanitizer takes descriptors of one number for one, whatever table they are in.
#if defined(__SANITIZE_THREAD__)
#define RIFFLE_ONE_TABLE true
#elif defined(__has_feature)
#define RIFFLE_ONE_TABLE __has_feature(thread_sanitizer)
#else
#define RIFFLE_ONE_TABLE false
#endif

namespace riffle::os {

namespace {

// MADV_POPULATE_READ, Linux 5.14: the headers of the C library may be older than the OS kernel.
constexpr int populate_read = 22;

// From linux/magic.h and the file systems' own headers; see statfs(2).
constexpr std::array<std::pair<std::uint32_t, const char*>, 17> file_systems{{
    {0xEF53, "ext4"},
    {0x58465342, "xfs"},
    {0x9123683E, "btrfs"},
    {0x01021994, "tmpfs"},
    {0x858458F6, "ramfs"},
    {0x794C7630, "overlay"},
    {0x9FA0, "proc"},
    {0x62656572, "sysfs"},
    {0x65735546, "fuse"},
    {0x6969, "nfs"},
    {0xFF534D42, "cifs"},
    {0xFE534D42, "smb2"},
    {0xF2F52010, "f2fs"},
    {0x2FC12FC1, "zfs"},
    {0x73717368, "squashfs"},
    {0xE0F5E1E2, "erofs"},
    {0x4D44, "vfat"},
}};

struct cachestat_range {
  std::uint64_t offset;
  std::uint64_t length;
};
struct cachestat_result {
  std::uint64_t cached, dirty, writeback, evicted, recently_evicted;
};

constexpr long cachestat_call = 451;  // the same on every architecture; Debian 12's headers are older than it

// On overlay the pages of a file belong to another inode, at which cachestat does not look: it reports 0 for
// a file that is cached (seen on Linux 6.18). A mapping leads to that inode, so mincore sees them.
bool cachestat_tells(const file& file) {
  return !is_layered(file_system_of(file));
}

std::optional<std::uint64_t> by_cachestat(const file& file, std::uint64_t offset, std::uint64_t length) {
  const cachestat_range range{offset, length};
  cachestat_result result{};
  if (syscall(cachestat_call, file.descriptor(), &range, &result, 0) != 0) return std::nullopt;
  return result.cached;
}

// Returns whether all pages of mapped memory are in the page cache. Those that failed to be read are not.
bool all_resident(char* at, std::size_t length) {
  std::array<unsigned char, 4096> states;
  while (length != 0) {
    const std::size_t size = std::min(length, states.size() * page_size());
    if (mincore(at, size, states.data()) != 0) return false;
    const auto last = states.begin() + static_cast<std::ptrdiff_t>(page_count(size));
    if (!std::all_of(states.begin(), last, [](unsigned char state) { return (state & 1U) != 0; }))
      return false;
    at += size;
    length -= size;
  }
  return true;
}

std::optional<std::uint64_t> by_mincore(const file& file, std::uint64_t offset, std::uint64_t length) {
  constexpr std::size_t piece = 64 << 20;
  if (!tells_residency(file)) return std::nullopt;
  std::vector<unsigned char> states(
      static_cast<std::size_t>(page_count(std::min<std::uint64_t>(piece, length))));
  std::uint64_t resident = 0;
  for (const std::uint64_t end = offset + length; offset < end; offset += piece) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(piece, end - offset));
    void* const address =
        mmap(nullptr, size, PROT_READ, MAP_SHARED, file.descriptor(), static_cast<off_t>(offset));
    if (address == MAP_FAILED) return std::nullopt;
    const int result = mincore(address, size, states.data());
    munmap(address, size);
    if (result != 0) return std::nullopt;
    const auto last = states.begin() + static_cast<std::ptrdiff_t>(page_count(size));
    resident += static_cast<std::uint64_t>(
        std::count_if(states.begin(), last, [](unsigned char state) { return (state & 1U) != 0; }));
  }
  return resident;
}

std::optional<std::uint64_t> resident_pages(const file& file, std::uint64_t offset, std::uint64_t length,
                                            bool by_one_call) {
  if (length == 0) return 0;  // which cachestat would take for "to the end"
  if (const auto pages = by_one_call ? by_cachestat(file, offset, length) : std::nullopt) return pages;
  return by_mincore(file, offset, length);
}

}  // namespace

int reopen(int descriptor, int flags) noexcept {
  const uncancelled opening;
  constexpr std::string_view folder = "/proc/thread-self/fd/";
  std::array<char, folder.size() + 12> path{};  // no allocation, which could fail
  folder.copy(path.data(), folder.size());
  std::to_chars(path.data() + folder.size(), path.data() + path.size() - 1, descriptor);
  return uninterrupted([&] { return ::open(path.data(), flags); });
}

int reopen_direct(int descriptor) noexcept {
  return reopen(descriptor, O_RDONLY | O_CLOEXEC | O_DIRECT);
}

int open_pipe(int (&ends)[2]) noexcept {
  return pipe2(ends, O_CLOEXEC);
}

std::int64_t modified_at(const struct stat& facts) noexcept {
  return std::int64_t{facts.st_mtim.tv_sec} * 1'000'000'000 + std::int64_t{facts.st_mtim.tv_nsec};
}

std::uint64_t waits_of_thread() noexcept {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  return static_cast<std::uint64_t>(used.ru_nvcsw);
}

void discard_buffer(std::FILE* stream) noexcept {
  __fpurge(stream);
}

#ifdef __GLIBC__

// Bytes that were pushed back may be in a buffer of their own, after which the others come.
std::size_t buffered_bytes(std::FILE* stream) noexcept {
  return static_cast<std::size_t>(stream->_IO_read_end - stream->_IO_read_ptr);
}

#else

std::size_t buffered_bytes(std::FILE* stream) noexcept {
  return __freadahead(stream);
}

#endif

std::size_t free_descriptors() noexcept {
  rlimit limit{};
  DIR* const folder = opendir("/proc/thread-self/fd");
  if (folder == nullptr || getrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = RLIM_INFINITY;
  std::size_t open = 0;
  while (folder != nullptr && readdir(folder) != nullptr) ++open;
  if (folder != nullptr) closedir(folder);
  constexpr std::size_t surplus = 3;  // ".", "..", and the folder's own
  open -= std::min(open, surplus);
  return limit.rlim_cur > open ? static_cast<std::size_t>(limit.rlim_cur) - open : 0;
}

// The C library of Debian 12 has close_range, but older ones do not.
void separate_descriptors() noexcept {
  constexpr unsigned first_dropped = 3;
  constexpr unsigned unshare = 2;  // CLOSE_RANGE_UNSHARE
  if constexpr (!RIFFLE_ONE_TABLE) static_cast<void>(syscall(SYS_close_range, first_dropped, ~0U, unshare));
}

// The C libraries declare the number of a request by different types.
std::uint64_t block_device_size(int descriptor) {
  std::uint64_t size = 0;
  return syscall(SYS_ioctl, descriptor, BLKGETSIZE64, &size) == 0 ? size : 0;
}

int cannot_allocate(int descriptor, std::uint64_t offset, std::size_t length) noexcept {
  const uncancelled allocating;
  const int result =
      fallocate(descriptor, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset), static_cast<off_t>(length));
  return result != 0 && (errno == ENOSPC || errno == EDQUOT) ? errno : 0;
}

void widen_pipe(int descriptor) noexcept {
  constexpr int wanted = 1 << 20;  // the default of /proc/sys/fs/pipe-max-size
  const int size = fcntl(descriptor, F_GETPIPE_SZ);
  if (size > 0 && size < wanted) fcntl(descriptor, F_SETPIPE_SZ, wanted);
}

std::ptrdiff_t pread_uncached(int descriptor, char* into, std::size_t size, std::uint64_t offset) {
  constexpr int dontcache = 0x80;  // RWF_DONTCACHE; Debian 12's headers are older than it
  iovec part{into, size};
  // musl has preadv2 since 1.2.5, and Alpine 3.20.
  const auto low = static_cast<unsigned long>(offset), high = static_cast<unsigned long>(offset >> 32);
  const ssize_t count = syscall(SYS_preadv2, descriptor, &part, 1UL, low, high, dontcache);
  const bool refused = errno == EOPNOTSUPP || errno == EINVAL || errno == ENOSYS || forbidden(errno);
  if (count >= 0 || !refused) return count;
  return ::pread(descriptor, into, size, static_cast<off_t>(offset));
}

bool maps_huge_pages_only(int descriptor) noexcept {
  struct statfs facts{};
  return fstatfs(descriptor, &facts) == 0 && static_cast<std::uint32_t>(facts.f_type) == HUGETLBFS_MAGIC;
}

int populate_for_reading(char* at, std::size_t length) noexcept {
  if (uninterrupted([=] { return madvise(at, length, populate_read); }) == 0) return 0;
  const bool matters = errno == EFAULT || errno == EIO || errno == EHWPOISON || errno == ENOMEM;
  return matters ? errno : 0;
}

void advise_huge_pages(char* at, std::size_t length) noexcept {
  madvise(at, length, MADV_HUGEPAGE);
}

void reserve_again(char* at, std::size_t length) noexcept {
  constexpr int no_replace = 0x100000;  // MAP_FIXED_NOREPLACE, Linux 4.17; before it a mere hint
  void* const got =
      mmap(at, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | no_replace, -1, 0);
  if (got != MAP_FAILED && got != at) munmap(got, length);
}

void file::advise_sequential() const noexcept {
  posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
}
void file::advise_will_need(std::uint64_t offset, std::uint64_t length) const noexcept {
  posix_fadvise(descriptor_, static_cast<off_t>(offset), static_cast<off_t>(length), POSIX_FADV_WILLNEED);
}
void file::drop_cache(std::uint64_t offset, std::uint64_t length) const noexcept {
  posix_fadvise(descriptor_, static_cast<off_t>(offset), static_cast<off_t>(length), POSIX_FADV_DONTNEED);
}

std::string file_system_of(const file& file) {
  struct statfs facts{};
  if (fstatfs(file.descriptor(), &facts) != 0) return {};
  const auto magic = static_cast<std::uint32_t>(facts.f_type);
  const auto* found = std::find_if(file_systems.begin(), file_systems.end(),
                                   [magic](const auto& row) { return row.first == magic; });
  return found != file_systems.end() ? found->second : std::string();
}

bool in_memory(std::string_view file_system) noexcept {
  return file_system == "tmpfs" || file_system == "ramfs";
}

bool served_elsewhere(std::string_view file_system) noexcept {
  return file_system == "nfs" || file_system == "cifs" || file_system == "smb2" || file_system == "fuse";
}

bool is_layered(std::string_view file_system) noexcept {
  return file_system == "overlay";
}

bool can_populate() {
  static constinit remembered<bool> works;
  return works.get([] {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* address = mmap(nullptr, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (address == MAP_FAILED) return false;
    const bool answer = madvise(address, page, populate_read) == 0;
    munmap(address, page);
    return answer;
  });
}

// The name of a file system that is far takes time, and is of no use for pages that cachestat finds.
std::optional<std::uint64_t> resident_pages(const file& file, std::uint64_t offset, std::uint64_t length) {
  const auto pages = resident_pages(file, offset, length, true);
  if (pages && (*pages != 0 || cachestat_tells(file))) return pages;
  return by_mincore(file, offset, length);
}

// Looking at all pages of a large file would take milliseconds if they were cached one by one. Two samples
// take less than a hundredth of the time to read 8 MiB.
std::optional<double> resident_share(const file& file, std::uint64_t size, std::uint64_t begin) {
  const std::uint64_t samples = std::clamp<std::uint64_t>(size >> 23U, 2, 8);  // one for 8 MiB
  constexpr std::uint64_t sample = 64 * 1024;
  if (size == 0) return std::nullopt;
  const std::uint64_t page = page_size();
  const std::uint64_t last = size - std::min(size, sample);
  const std::uint64_t step = size > samples * sample ? last / (samples - 1) : sample;
  const bool by_one_call = cachestat_tells(file);
  std::uint64_t seen = 0;
  std::uint64_t resident = 0;
  for (std::uint64_t offset = 0; offset < size; offset += step) {
    const std::uint64_t length = std::min(sample, size - offset);
    const auto cached = resident_pages(file, (begin + offset) / page * page, length, by_one_call);
    if (!cached) return std::nullopt;
    seen += page_count(length);
    resident += *cached;
  }
  return std::min(1.0, static_cast<double>(resident) / static_cast<double>(seen));
}

// If the user neither owns the file nor may write it, mincore reports that all of it
// is cached; see mincore(2).
bool tells_residency(const file& from) {
  struct stat facts{};
  if (geteuid() == 0 || (fstat(from.descriptor(), &facts) == 0 && facts.st_uid == geteuid())) return true;
  return access(("/proc/thread-self/fd/" + std::to_string(from.descriptor())).c_str(), W_OK) == 0;
}

// At a fault the OS kernel also maps the cached pages around it, up to 64 KiB (fault_around_bytes in
// mm/memory.c). MADV_POPULATE_READ takes those faults too, and then walks page by page: with cached pages of
// 4 KiB that is a fifth of the time in which their newlines are counted (docs/tried.md).
bool touch_resident(char* at, std::size_t length) {
  constexpr std::size_t fault_around = 64 * 1024;
  for (std::size_t i = 0; i < length; i += fault_around) {
    static_cast<void>(*static_cast<const volatile char*>(at + i));
  }
  return all_resident(at, length);
}

}  // namespace riffle::os
