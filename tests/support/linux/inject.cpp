/// Stands between the library and the C library's open, read, pread, mmap, madvise, fstat, pthread_create and
/// the calls for advice.
#include "tests/support/faults.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/linux/replaced.hpp"

namespace riffle::test {

namespace {

// Initialised at compile time: these calls are made before main, and by the sanitizers.
thread_local constinit injection::plan armed{};
thread_local constinit std::size_t seen = 0;
thread_local constinit std::size_t largest_read = 0;
thread_local constinit std::vector<advice>* advised = nullptr;

// Whether this call is one that fails; `errno` is then set.
bool fails(call which) {
  if (armed.which != which) return false;
  ++seen;
  if (armed.code == 0) return false;
  const bool now = seen == armed.at || (armed.from_there_on && seen > armed.at) ||
                   (armed.every != 0 && seen % armed.every == 0);
  if (now) errno = armed.code;
  return now;
}

// Notes what a read asks for.
std::size_t asked(std::size_t size) {
  if (armed.which == call::read) largest_read = std::max(largest_read, size);
  return size;
}

std::size_t shortened(std::size_t size) {
  if (armed.which != call::read || armed.longest == 0) return size;
  return std::min(size, 1 + seen * 37 % armed.longest);  // a different length each time
}

// In all threads. A call is counted without memory: while a sanitizer symbolizes, which it does for races
// that it suppresses too, it opens files itself and takes memory from an allocator of its own.
constinit std::atomic<const noted_opens*> noting = nullptr;
std::atomic<bool> refusing = false;

// What starts within a page is an error to the OS kernel; qemu, told of larger pages, would let it pass.
bool misplaced(std::uint64_t address) {
  static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  if (address % page == 0) return false;
  errno = EINVAL;
  return true;
}
bool misplaced(const void* at) {
  return misplaced(reinterpret_cast<std::uintptr_t>(at));
}

#ifdef __s390x__
// The OS kernel takes the address of the arguments there.
void* map(void* at, size_t size, int protection, int flags, int descriptor, off_t offset) {
  const unsigned long arguments[] = {
      reinterpret_cast<unsigned long>(at),    size,
      static_cast<unsigned long>(protection), static_cast<unsigned long>(flags),
      static_cast<unsigned long>(descriptor), static_cast<unsigned long>(offset)};
  return reinterpret_cast<void*>(syscall(SYS_mmap, arguments));
}
#elif defined(SYS_mmap2)
// In 32 bits the offset counts in units of 4096 bytes.
void* map(void* at, size_t size, int protection, int flags, int descriptor, off_t offset) {
  return reinterpret_cast<void*>(
      syscall(SYS_mmap2, at, size, protection, flags, descriptor, static_cast<long>(offset >> 12)));
}
#else
void* map(void* at, size_t size, int protection, int flags, int descriptor, off_t offset) {
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, size, protection, flags, descriptor, offset));
}
#endif

#ifdef SYS_fadvise64_64
constexpr long fadvise_call = SYS_fadvise64_64;
#else
constexpr long fadvise_call = SYS_fadvise64;
#endif

int opened(int folder, const char* path, int flags, mode_t mode) {
  pthread_testcancel();
  const noted_opens* const noted = noting;
  const bool first = noted != nullptr && noted->takes(path);
  if (refusing && std::string_view(path).starts_with("/proc/thread-self/fd/")) {
    errno = ENOENT;
    return -1;
  }
  const auto descriptor = static_cast<int>(syscall(SYS_openat, folder, path, flags | O_LARGEFILE, mode));
  if (first) noted->act();
  return descriptor;
}

}  // namespace

noted_opens::noted_opens(std::string path, std::function<void()> then)
    : path_(std::move(path)), then_(std::move(then)) {
  noting = this;
}
noted_opens::~noted_opens() {
  noting = nullptr;
}

no_reopening::no_reopening() {
  refusing = true;
}
no_reopening::~no_reopening() {
  refusing = false;
}

noted_advice::noted_advice() {
  advised = &all_;
}
noted_advice::~noted_advice() {
  advised = nullptr;
}

std::optional<std::string> interposition_unavailable() {
  return std::nullopt;
}

injection::injection(const plan& wanted) {
  seen = 0;
  largest_read = 0;
  armed = wanted;
}
injection::~injection() {
  armed = {};
}
std::size_t injection::calls() const {
  return seen;
}
std::size_t injection::largest() const {
  return largest_read;
}

}  // namespace riffle::test

using riffle::test::call;

// The kernel's own calls: what the C library offers under these names is what is replaced here. As there,
// pthread_cancel ends a thread in read, pread and open.
extern "C" {

// Visible, so that the streams of the C++ library, which is shared, come here too.
[[gnu::visibility("default")]] ssize_t read(int descriptor, void* into, size_t size) {
  pthread_testcancel();
  if (riffle::test::fails(call::read)) return -1;
  return syscall(SYS_read, descriptor, into, riffle::test::shortened(riffle::test::asked(size)));
}

ssize_t pread(int descriptor, void* into, size_t size, off_t offset) {
  pthread_testcancel();
  if (riffle::test::fails(call::read)) return -1;
  const ssize_t count = syscall(SYS_pread64, descriptor, into, riffle::test::asked(size), offset);
  return count > 0 ? static_cast<ssize_t>(riffle::test::shortened(static_cast<size_t>(count))) : count;
}

void* mmap(void* at, size_t size, int protection, int flags, int descriptor, off_t offset) __THROW {
  if (!riffle::test::allocations::active && riffle::test::fails(call::mmap)) return MAP_FAILED;
  if (riffle::test::misplaced(at) || riffle::test::misplaced(static_cast<std::uint64_t>(offset)))
    return MAP_FAILED;
  return riffle::test::map(at, size, protection, flags, descriptor, offset);
}

int madvise(void* at, size_t size, int advice) __THROW {
  if (riffle::test::fails(call::madvise) || riffle::test::misplaced(at)) return -1;
  return static_cast<int>(syscall(SYS_madvise, at, size, advice));
}

int posix_madvise(void* at, size_t size, int advice) __THROW {
  if (riffle::test::advised != nullptr) riffle::test::advised->push_back({advice, true, 0, size});
  return syscall(SYS_madvise, at, size, advice) == 0 ? 0 : errno;
}

int posix_fadvise(int descriptor, off_t offset, off_t size, int advice) __THROW {
  if (riffle::test::advised != nullptr) {
    riffle::test::advised->push_back(
        {advice, false, static_cast<std::uint64_t>(offset), static_cast<std::uint64_t>(size), descriptor});
  }
  if (advice == POSIX_FADV_DONTNEED && riffle::test::fails(call::drop)) return errno;
  return syscall(riffle::test::fadvise_call, descriptor, offset, size, advice) == 0 ? 0 : errno;
}

// Visible for the C++ library's streams, as read is.
[[gnu::visibility("default")]] int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return riffle::test::opened(AT_FDCWD, path, flags, mode);
}

// What open is with _FORTIFY_SOURCE, if the flags are no constant.
[[gnu::visibility("default")]] int __open_2(const char* path, int flags) {
  return riffle::test::opened(AT_FDCWD, path, flags, 0);
}

int fstat(int descriptor, struct stat* facts) __THROW {
  if (riffle::test::fails(call::fstat)) return -1;
  return fstatat(descriptor, "", facts, AT_EMPTY_PATH);
}

#if !RIFFLE_SANITIZED
// Visible for std::thread, as read is.
[[gnu::visibility("default")]] int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                                                  void* (*start)(void*), void* argument) __THROW {
  if (riffle::test::fails(call::thread)) return errno;
  static const auto real = original_pthread_create();
  return real(thread, attributes, start, argument);
}

#ifdef __GLIBC__
// That of glibc ends a cancelled thread only if it has to wait.
[[gnu::visibility("default")]] int pthread_join(pthread_t thread, void** result) {
  pthread_testcancel();
  static const auto real = reinterpret_cast<decltype(&pthread_join)>(dlsym(RTLD_NEXT, "pthread_join"));
  return real(thread, result);
}
#endif
#endif
}
