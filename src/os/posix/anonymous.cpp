/// Maps memory that belongs to no file, at any alignment.
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <limits>

#include "os/mapping.hpp"
#include "os/posix/calls.hpp"

namespace riffle::os {

namespace {

// Unmaps what lies between `from` and `to`.
void trim(char* from, char* to) noexcept {
  if (from != to) munmap(from, static_cast<std::size_t>(to - from));
}

}  // namespace

char* map_anonymous(std::size_t size, std::size_t alignment, bool huge_pages) noexcept {
  const std::optional<std::size_t> length = whole_pages(std::max<std::size_t>(size, 1));
  const std::size_t slack = alignment > page_size() ? alignment - page_size() : 0;
  if (!length || *length > std::numeric_limits<std::size_t>::max() - slack) {
    errno = ENOMEM;
    return nullptr;
  }
  void* const got =
      mmap(nullptr, *length + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (got == MAP_FAILED) return nullptr;
  // mmap aligns to pages only: map more, and unmap the memory around the aligned part.
  auto* const start = static_cast<char*>(got);
  const std::size_t over = slack == 0 ? 0 : reinterpret_cast<std::uintptr_t>(start) % alignment;
  char* const at = over == 0 ? start : start + (alignment - over);
  trim(start, at);
  trim(at + *length, start + *length + slack);
  if (huge_pages) advise_huge_pages(at, *length);
  return at;
}

void advise_free(char* at, std::size_t length) noexcept {
  madvise(at, length, MADV_FREE);
}

void unmap_anonymous(char* at, std::size_t size) noexcept {
  if (at != nullptr) munmap(at, *whole_pages(std::max<std::size_t>(size, 1)));
}

}  // namespace riffle::os
