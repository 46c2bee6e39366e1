/// The calls of macOS; see fcntl(2) there for F_GETPATH and F_NOCACHE.
#include "os/calls.hpp"

#include <fcntl.h>
#include <libproc.h>
#include <sys/ioccom.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "os/mapping.hpp"
#include "os/posix/calls.hpp"
#include "os/posix/uninterrupted.hpp"

namespace riffle::os {

namespace {

// From sys/disk.h, which not every set of headers for macOS has.
constexpr unsigned long get_block_size = _IOR('d', 24, std::uint32_t);   // DKIOCGETBLOCKSIZE
constexpr unsigned long get_block_count = _IOR('d', 25, std::uint64_t);  // DKIOCGETBLOCKCOUNT

bool same_file(int one, int other) noexcept {
  struct stat first{};
  struct stat second{};
  return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

int fail_to_open(int opened, int code) noexcept {
  if (opened >= 0) ::close(opened);
  errno = code;
  return -1;
}

rlim_t most_descriptors() noexcept {
  rlimit limit{};
  int most = 0;  // of any process
  std::size_t size = sizeof most;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = RLIM_INFINITY;
  if (sysctlbyname("kern.maxfilesperproc", &most, &size, nullptr, 0) != 0) return limit.rlim_cur;
  return std::min(limit.rlim_cur, static_cast<rlim_t>(most));
}

}  // namespace

// /dev/fd/N shares the position of the descriptor, so this opens the path that the OS kernel has for it. The
// file may have another name by now, or none.
int reopen(int descriptor, int flags) noexcept {
  std::array<char, MAXPATHLEN> path{};
  if (fcntl(descriptor, F_GETPATH, path.data()) != 0) return -1;
  // It never waits for what has the name by now.
  const int opened = uninterrupted([&] { return ::open(path.data(), flags | O_NONBLOCK); });
  if (opened < 0 || same_file(descriptor, opened)) return opened;
  return fail_to_open(opened, ESTALE);
}

int reopen_direct(int descriptor) noexcept {
  const int opened = reopen(descriptor, O_RDONLY | O_CLOEXEC);
  if (opened >= 0 && fcntl(opened, F_NOCACHE, 1) != 0) return fail_to_open(opened, errno);
  return opened;
}

// Most versions of macOS have no pipe2: a program that another thread starts between these calls has the
// ends.
int open_pipe(int (&ends)[2]) noexcept {
  if (pipe(ends) != 0) return -1;
  for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  return 0;
}

std::int64_t modified_at(const struct stat& facts) noexcept {
  return std::int64_t{facts.st_mtimespec.tv_sec} * 1'000'000'000 + std::int64_t{facts.st_mtimespec.tv_nsec};
}

// macOS counts for the process alone.
std::uint64_t waits_of_thread() noexcept {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<std::uint64_t>(used.ru_nvcsw);
}

std::size_t free_descriptors() noexcept {
  const int bytes = proc_pidinfo(getpid(), PROC_PIDLISTFDS, 0, nullptr, 0);  // room for all, and a few more
  const std::size_t open = bytes > 0 ? static_cast<std::size_t>(bytes) / PROC_PIDLISTFD_SIZE : 0;
  const rlim_t most = most_descriptors();
  return most > open ? static_cast<std::size_t>(most) - open : 0;
}

// A read at other places goes through the page cache.
std::size_t direct_alignment(int) {
  return 4096;
}

std::uint64_t block_device_size(int descriptor) {
  std::uint32_t size = 0;
  std::uint64_t count = 0;
  const bool known =
      ioctl(descriptor, get_block_size, &size) == 0 && ioctl(descriptor, get_block_count, &count) == 0;
  return known ? count * size : 0;
}

std::ptrdiff_t pread_uncached(int descriptor, char* into, std::size_t size, std::uint64_t offset) {
  return ::pread(descriptor, into, size, static_cast<off_t>(offset));
}

// Without MAP_FIXED the address is a wish.
void reserve_again(char* at, std::size_t length) noexcept {
  void* const got = mmap(at, length, PROT_NONE, MAP_PRIVATE | MAP_ANON, -1, 0);
  if (got != MAP_FAILED && got != at) munmap(got, length);
}

}  // namespace riffle::os
