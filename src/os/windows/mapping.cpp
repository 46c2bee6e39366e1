/// Maps files as views of section objects, probes them page by page, and maps memory that belongs to no file.
#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <utility>

#include "os/mapping.hpp"
#include "os/windows/calls.hpp"

namespace riffle::os {

namespace {

struct access_right {
  DWORD section;
  DWORD view;
};

access_right right_of(protection access) noexcept {
  if (access == protection::shared_write) return {PAGE_READWRITE, FILE_MAP_READ | FILE_MAP_WRITE};
  if (access == protection::copy_on_write) return {PAGE_WRITECOPY, FILE_MAP_COPY};
  return {PAGE_READONLY, FILE_MAP_READ};
}

SYSTEM_INFO system_facts() noexcept {
  SYSTEM_INFO facts{};
  GetSystemInfo(&facts);
  return facts;
}

// Returns the end of the memory that can be touched from `at` on: a view ends with the page that has its last
// byte, which may lie before the next place for a view.
const char* end_of_view(const char* at, const char* limit) noexcept {
  while (at < limit) {
    MEMORY_BASIC_INFORMATION facts{};
    if (VirtualQuery(at, &facts, sizeof facts) == 0 || facts.State != MEM_COMMIT) return at;
    at = static_cast<const char*>(facts.BaseAddress) + facts.RegionSize;
  }
  return limit;
}

// Windows 8 has it.
void prefetch(char* at, std::size_t length) noexcept {
  struct range {
    void* at;
    SIZE_T length;
  };
  using function = BOOL WINAPI(HANDLE, ULONG_PTR, range*, ULONG);
  static function* const call = function_named<function>(L"kernel32.dll", "PrefetchVirtualMemory");
  range wanted{at, length};
  if (call != nullptr) call(GetCurrentProcess(), 1, &wanted, 0);
}

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

const bool cuts_mapped_files = false;
const bool loses_whole_views = true;

// The unit that views are placed in, 64 KiB, which is what callers need to know.
std::size_t page_size() noexcept {
  static const std::size_t size = system_facts().dwAllocationGranularity;
  return size;
}

char* map_pages(const file& from, std::uint64_t offset, std::size_t length, protection access,
                bool /*shared*/) {
  const file_status status = from.status();
  check_mapped(from, offset, length, std::nullopt, status);
  const access_right right = right_of(access);
  const owned_handle section(
      CreateFileMappingW(handle_of(from.descriptor()), nullptr, right.section, 0, 0, nullptr));
  if (!section.valid()) fail_to_map(from.name(), offset, errno_of(GetLastError()));
  const std::size_t lead = offset % page_size();
  const std::uint64_t first = offset - lead;
  void* const at = MapViewOfFile(section.get(), right.view, static_cast<DWORD>(first >> 32U),
                                 static_cast<DWORD>(first), lead + length);
  if (at == nullptr) {
    const DWORD code = GetLastError();
    check_mapped(from, offset, length, std::nullopt, status);  // cut since then?
    fail_to_map(from.name(), offset, errno_of(code));
  }
  return static_cast<char*>(at);
}

// The fault guard puts other memory where a view was.
void unmap_pages(char* at, std::size_t /*size*/) noexcept {
  if (UnmapViewOfFile(at) == 0) VirtualFree(at, 0, MEM_RELEASE);
}

void flush_pages(const file& from, std::span<char> pages) {
  const bool done =
      FlushViewOfFile(pages.data(), pages.size()) != 0 && FlushFileBuffers(handle_of(from.descriptor())) != 0;
  if (!done) fail_with(GetLastError(), "flush", from.name());
}

void advise(char* at, std::size_t length, const mapping_hints& hints) noexcept {
  if (hints.will_need) prefetch(at, length);
}

void fail_to_map(std::string_view name, std::optional<std::uint64_t> offset, int code) {
  throw refused({code, std::generic_category()}, "map", name, offset,
                code == ENOMEM ? "no addresses are left" : "",
                {code == ENOMEM ? advice::use_blocks : advice::none});
}

bool tells_residency(const file&) {
  return false;
}

bool touch_resident(char*, std::size_t) {
  return false;
}

void populate_or_fail(const file& from, std::uint64_t offset, char* at, std::size_t length,
                      const file_status& before) {
  static const std::size_t step = system_facts().dwPageSize;
  const char* const end = end_of_view(at, at + length);
  const std::span<char> range(at, static_cast<std::size_t>(end - at));
  prefetch(at, range.size());
  const guarded_range probe(range, false);  // also if the user does without a guard
  for (std::size_t position = 0; position < range.size(); position += step) {
    static_cast<void>(*static_cast<const volatile char*>(at + position));
    if (probe.faulted()) fail_to_read(from, offset, offset + position, before);
  }
}

window::window(std::size_t /*headroom*/, std::size_t size, bool guarded, std::string_view name)
    : guarded_(guarded) {
  const std::optional<std::size_t> body = whole_pages(std::max<std::size_t>(size, 1));
  if (!body || *body > std::numeric_limits<std::size_t>::max() / 4) fail_to_map(name, {}, ENOMEM);
  size_ = *body;
}

std::span<char> window::slide(const file& from, std::uint64_t offset, std::size_t length,
                              const mapping_hints& hints) {
  length_ = 0;
  if (offset % page_size() != 0 || length > size()) fail_to_map(from.name(), offset, EINVAL);
  if (length == 0) return {};
  constexpr auto furthest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (offset > furthest - length) fail_to_map(from.name(), offset, EOVERFLOW);
  guard_ = {};  // before its memory is unmapped
  pages_ = {};
  before_ = from.status();
  const std::size_t whole = *whole_pages(length);
  pages_ = {map_pages(from, offset, length, protection::read, hints.shared), whole};
  if (guarded_) guard_ = {pages_.span(), false};
  offset_ = offset;
  advise(pages_.data(), whole, hints);
  if (hints.populate) populate_or_fail(from, offset, pages_.data(), whole, before_);
  check_mapped(from, offset, length, std::nullopt, before_);
  length_ = length;
  return {pages_.data(), length};
}

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

void advise_huge_pages(char*, std::size_t) noexcept {}

void unmap_anonymous(char* at, std::size_t /*size*/) noexcept {
  if (at != nullptr) VirtualFree(at, 0, MEM_RELEASE);
}

}  // namespace riffle::os
