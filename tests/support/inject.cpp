/// Stands between the library and the C library's read, pread, mmap, madvise and fstat.
#include "tests/support/inject.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace riffle::test {

namespace {

// Initialised at compile time: these calls are made before main, and by the sanitizers.
thread_local constinit injection::plan armed{};
thread_local constinit std::size_t seen = 0;

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

std::size_t shortened(std::size_t size) {
  if (armed.which != call::read || armed.longest == 0) return size;
  return std::min(size, 1 + seen * 37 % armed.longest);  // a different length each time
}

}  // namespace

injection::injection(const plan& wanted) {
  seen = 0;
  armed = wanted;
}
injection::~injection() {
  armed = {};
}
std::size_t injection::calls() const {
  return seen;
}

}  // namespace riffle::test

using riffle::test::call;

// The kernel's own calls: what the C library offers under these names is what is replaced here.
extern "C" {

// Visible, so that the streams of the C++ library, which is shared, come here too.
[[gnu::visibility("default")]] ssize_t read(int descriptor, void* into, size_t size) {
  if (riffle::test::fails(call::read)) return -1;
  return syscall(SYS_read, descriptor, into, riffle::test::shortened(size));
}

ssize_t pread(int descriptor, void* into, size_t size, off_t offset) {
  if (riffle::test::fails(call::read)) return -1;
  return syscall(SYS_pread64, descriptor, into, riffle::test::shortened(size), offset);
}

void* mmap(void* at, size_t size, int protection, int flags, int descriptor, off_t offset) noexcept {
  if (riffle::test::fails(call::mmap)) return MAP_FAILED;
  return reinterpret_cast<void*>(syscall(SYS_mmap, at, size, protection, flags, descriptor, offset));
}

int madvise(void* at, size_t size, int advice) noexcept {
  if (riffle::test::fails(call::madvise)) return -1;
  return static_cast<int>(syscall(SYS_madvise, at, size, advice));
}

int fstat(int descriptor, struct stat* facts) noexcept {
  if (riffle::test::fails(call::fstat)) return -1;
  return static_cast<int>(syscall(SYS_newfstatat, descriptor, "", facts, AT_EMPTY_PATH));
}
}
