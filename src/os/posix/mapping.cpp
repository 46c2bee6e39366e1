/// Maps files, windows of files, and memory that belongs to no file, by mmap(2).
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/remembered.hpp"
#include "os/mapping.hpp"
#include "os/posix/calls.hpp"

namespace riffle::os {

namespace {

// Returns the first page of [at, at + length) that cannot be faulted in; there is one. It halves the range,
// because a call for each page would be thousands.
std::size_t first_bad_page(char* at, std::size_t length) {
  std::size_t good = 0;
  std::size_t bad = length;
  while (bad - good > page_size()) {
    const std::size_t middle = good + (bad - good) / 2 / page_size() * page_size();
    (populate_for_reading(at + good, middle - good) == 0 ? good : bad) = middle;
  }
  return good;
}

// The OS kernel maps a large folio of the page cache whole only if the address and the offset are
// equal modulo its size.
constexpr std::size_t huge_page = std::size_t{2} << 20;

// Returns 0 if `from` can be mapped, else errno. The OS kernel asks the file system after it has unmapped
// what a MAP_FIXED call replaces: after a refusal, any other thread could take those addresses.
int try_to_map(const file& from, std::uint64_t offset, int sharing) {
  void* const at =
      mmap(nullptr, page_size(), PROT_READ, sharing, from.descriptor(), static_cast<off_t>(offset));
  if (at == MAP_FAILED) return errno;
  munmap(at, page_size());
  return 0;
}

// Unmaps what lies between `from` and `to`.
void trim(char* from, char* to) noexcept {
  if (from != to) munmap(from, static_cast<std::size_t>(to - from));
}

}  // namespace

const bool cuts_mapped_files = true;
const bool loses_whole_views = false;

std::size_t page_size() noexcept {
  static constinit remembered<std::size_t> size;
  return size.get([] { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); });
}

void advise(char* at, std::size_t length, const mapping_hints& hints) noexcept {
  if (hints.sequential) posix_madvise(at, length, POSIX_MADV_SEQUENTIAL);
  if (hints.random) posix_madvise(at, length, POSIX_MADV_RANDOM);
  if (hints.will_need) posix_madvise(at, length, POSIX_MADV_WILLNEED);
}

void fail_to_map(std::string_view name, std::optional<std::uint64_t> offset, int code) {
  std::string_view detail;
  if (code == ENOMEM) detail = "raise RLIMIT_AS or vm.max_map_count, as no addresses or mappings are left";
  throw refused({code, std::generic_category()}, "map", name, offset, detail,
                {code == ENODEV ? advice::use_blocks : advice::none});
}

void populate_or_fail(const file& from, std::uint64_t offset, char* at, std::size_t length,
                      const file_status& before) {
  const int code = populate_for_reading(at, length);
  if (code == 0) return;
  if (code == ENOMEM) fail_to_map(from.name(), offset, code);
  fail_to_read(from, offset, offset + first_bad_page(at, length), before);
}

void require_mappable(const file& from, std::uint64_t offset) {
  if (!maps_huge_pages_only(from.descriptor())) return;
  throw refused(errc::method_unavailable, "map", from.name(), offset, "its file system has huge pages only",
                {advice::use_method, "read"});
}

char* map_pages(const file& from, std::uint64_t offset, std::size_t length, protection access, bool shared) {
  require_mappable(from, offset);
  const auto lead = static_cast<std::size_t>(offset % page_size());
  const int allowed = access == protection::read ? PROT_READ : PROT_READ | PROT_WRITE;
  void* const at = mmap(nullptr, *whole_pages(lead + length), allowed, shared ? MAP_SHARED : MAP_PRIVATE,
                        from.descriptor(), static_cast<off_t>(offset - lead));
  if (at == MAP_FAILED) fail_to_map(from.name(), offset, errno);
  return static_cast<char*>(at);
}

void unmap_pages(char* at, std::size_t size) noexcept {
  munmap(at, size);
}

void flush_pages(const file& from, std::span<char> pages) {
  if (msync(pages.data(), pages.size(), MS_SYNC) != 0) fail("flush", from.name());
}

window::window(std::size_t headroom, std::size_t size, bool guarded, std::string_view name) {
  const std::optional<std::size_t> head = whole_pages(headroom);
  const std::optional<std::size_t> body = whole_pages(std::max<std::size_t>(size, 1));
  // No sum of sizes may wrap.
  if (!head || !body || *body > SIZE_MAX / 4 || *head > SIZE_MAX / 4) fail_to_map(name, {}, ENOMEM);
  const std::size_t alignment = *body >= huge_page ? huge_page : page_size();
  // The window is aligned, so the headroom lies at the end of whole alignment units before it.
  const auto before = static_cast<std::size_t>(round_up(*head, alignment));
  char* const at = map_anonymous(before + *body, alignment, false);
  if (at == nullptr) fail_to_map(name, {}, errno);
  if (before != *head) munmap(at, before - *head);
  pages_ = {at + (before - *head), *head + *body};
  headroom_ = *head;
  size_ = *body;
  if (guarded) guard_ = {pages_.span().subspan(headroom_), false};
}

std::span<char> window::slide(const file& from, std::uint64_t offset, std::size_t length,
                              const mapping_hints& hints) {
  const std::size_t mapped = *whole_pages(std::exchange(length_, 0));
  if (offset % page_size() != 0 || length > size()) fail_to_map(from.name(), offset, EINVAL);
  if (length == 0) return {};
  constexpr auto furthest = static_cast<std::uint64_t>(std::numeric_limits<off_t>::max());
  if (offset > furthest - length) fail_to_map(from.name(), offset, EOVERFLOW);
  const int sharing = hints.shared ? MAP_SHARED : MAP_PRIVATE;
  if (!mapped_before_) {
    require_mappable(from, offset);
    if (const int code = try_to_map(from, offset, sharing); code != 0) fail_to_map(from.name(), offset, code);
    may_touch_ = guard_.guards() && why_unguarded().empty() && tells_residency(from);
    mapped_before_ = true;
  }
  before_ = from.status();  // before a page can be lost
  char* const at = pages_.data() + headroom_;
  const std::size_t whole = *whole_pages(length);
  guard_.clear();
  if (mmap(at, whole, PROT_READ, sharing | MAP_FIXED, from.descriptor(), static_cast<off_t>(offset)) ==
      MAP_FAILED) {
    const int code = errno;
    reserve_again(at, whole);
    fail_to_map(from.name(), offset, code);
  }
  // Pages that stay mapped cannot be dropped from the page cache. If the OS kernel refuses, they do stay, and
  // the next slide replaces them.
  if (whole < mapped) {
    constexpr int again = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    static_cast<void>(mmap(at + whole, mapped - whole, PROT_NONE, again, -1, 0));
  }
  offset_ = offset;
  advise(at, whole, hints);
  if (hints.populate) fault_in(from, offset, at, whole, before_, may_touch_);
  check_mapped(from, offset, length, fault_offset(), before_);
  length_ = length;
  return {at, length};
}

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
