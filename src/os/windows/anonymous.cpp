/// Memory that belongs to no file, by VirtualAlloc.
#include <algorithm>
#include <cerrno>
#include <limits>

#include "os/mapping.hpp"
#include "os/windows/calls.hpp"

namespace riffle::os {

namespace {

char* allocate(void* at, std::size_t size) noexcept {
  return static_cast<char*>(VirtualAlloc(at, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE));
}

// Finds a free place of more bytes, and allocates an aligned part of it. Another thread may be faster there.
char* allocate_aligned(std::size_t size, std::size_t alignment) noexcept {
  for (int attempt = 0; attempt != 16; ++attempt) {
    void* const place = VirtualAlloc(nullptr, size + alignment, MEM_RESERVE, PAGE_NOACCESS);
    if (place == nullptr) return nullptr;
    VirtualFree(place, 0, MEM_RELEASE);
    const std::uint64_t aligned = round_up(reinterpret_cast<std::uintptr_t>(place), alignment);
    if (char* const at = allocate(reinterpret_cast<void*>(static_cast<std::uintptr_t>(aligned)), size)) {
      return at;
    }
  }
  return nullptr;
}

}  // namespace

// Large pages need a privilege.
char* map_anonymous(std::size_t size, std::size_t alignment, bool /*huge_pages*/) noexcept {
  const std::optional<std::size_t> length = whole_pages(std::max<std::size_t>(size, 1));
  const bool placed = alignment <= page_size();
  char* at = nullptr;
  if (length && (placed || *length <= std::numeric_limits<std::size_t>::max() - alignment)) {
    at = placed ? allocate(nullptr, *length) : allocate_aligned(*length, alignment);
  }
  if (at == nullptr) errno = ENOMEM;
  return at;
}

void unmap_anonymous(char* at, std::size_t /*size*/) noexcept {
  if (at != nullptr) VirtualFree(at, 0, MEM_RELEASE);
}

}  // namespace riffle::os
