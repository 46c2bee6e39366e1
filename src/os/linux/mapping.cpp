/// The madvise(2) calls that only Linux has, with fall-backs for older versions.
#include <sys/mman.h>

#include <cerrno>

#include "os/mapping_calls.hpp"
#include "os/posix/uninterrupted.hpp"

namespace riffle::os {

namespace {

// Linux 5.14; named here because the headers of the C library may be older than the OS kernel.
constexpr int populate_read = 22;
constexpr int populate_write = 23;

}  // namespace

int populate_for_reading(char* at, std::size_t length) noexcept {
  if (uninterrupted([=] { return madvise(at, length, populate_read); }) == 0) return 0;
  const bool matters = errno == EFAULT || errno == EIO || errno == EHWPOISON || errno == ENOMEM;
  return matters ? errno : 0;
}

void populate_for_writing(char* at, std::size_t length) noexcept {
  uninterrupted([=] { return madvise(at, length, populate_write); });
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
