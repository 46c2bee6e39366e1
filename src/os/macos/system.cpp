/// The calls of macOS, and what riffle does without where it has none.
#include <fcntl.h>
#include <libproc.h>
#include <mach/mach.h>
#include <sys/ioccom.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/param.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <limits>
#include <thread>

#include "base/remembered.hpp"
#include "os/facts.hpp"
#include "os/mapping.hpp"
#include "os/posix/calls.hpp"
#include "os/stream.hpp"

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

std::uint64_t available() noexcept {
  vm_statistics64_data_t pages{};
  mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
  const mach_port_t host = mach_host_self();
  const kern_return_t result =
      host_statistics64(host, HOST_VM_INFO64, reinterpret_cast<host_info64_t>(&pages), &count);
  mach_port_deallocate(mach_task_self(), host);
  if (result != KERN_SUCCESS) return std::numeric_limits<std::uint64_t>::max();
  return (std::uint64_t{pages.free_count} + pages.external_page_count) * page_size();
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

std::string file_system_of(const file& file) {
  struct statfs facts{};
  return fstatfs(file.descriptor(), &facts) == 0 ? facts.f_fstypename : std::string();
}

bool in_memory(std::string_view file_system) noexcept {
  return file_system == "tmpfs";
}

bool served_elsewhere(std::string_view file_system) noexcept {
  return file_system == "nfs" || file_system == "smbfs" || file_system == "afpfs" ||
         file_system == "webdav" || file_system == "macfuse";
}

bool is_layered(std::string_view file_system) noexcept {
  return file_system == "nullfs" || file_system == "unionfs";
}

// macOS has no call that faults pages in and returns an error for those that cannot be read.
bool can_populate() {
  return false;
}

std::uint64_t memory_for_cache() {
  static constinit remembered<std::uint64_t> bytes;
  return bytes.get(available);
}

unsigned usable_processors() noexcept {
  return std::max(std::thread::hardware_concurrency(), 1U);
}

void discard_buffer(std::FILE* stream) noexcept {
  fpurge(stream);
}

std::size_t buffered_bytes(std::FILE* stream) noexcept {
  return static_cast<std::size_t>(std::max(stream->_r, 0));
}

bool maps_huge_pages_only(int) noexcept {
  return false;
}

void separate_descriptors() noexcept {}

int cannot_allocate(int, std::uint64_t, std::size_t) noexcept {
  return 0;
}

// The OS kernel sets the capacity of a pipe by the sizes of its writes.
void widen_pipe(int) noexcept {}

void file::advise_sequential() const noexcept {}
void file::advise_will_need(std::uint64_t, std::uint64_t) const noexcept {}
void file::drop_cache(std::uint64_t, std::uint64_t) const noexcept {}

bool tells_residency(const file&) {
  return false;
}

bool touch_resident(char*, std::size_t) {
  return false;
}

int populate_for_reading(char*, std::size_t) noexcept {
  return 0;
}

void advise_huge_pages(char*, std::size_t) noexcept {}

request_sizes request_sizes_of(std::uint64_t) {
  return {};
}

std::optional<std::uint64_t> resident_pages(const file&, std::uint64_t, std::uint64_t) {
  return std::nullopt;
}

std::optional<double> resident_share(const file&, std::uint64_t, std::uint64_t) {
  return std::nullopt;
}

}  // namespace riffle::os
