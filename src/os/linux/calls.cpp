/// System calls that only Linux has, with fall-backs for older versions.
#include "os/calls.hpp"

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
#include <string_view>

#include "os/cancellation.hpp"
#include "os/mapping.hpp"
#include "os/posix/calls.hpp"
#include "os/posix/uninterrupted.hpp"
#include "os/stream.hpp"

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

}  // namespace riffle::os
