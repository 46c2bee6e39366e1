/// Implements `os::window` on POSIX systems: mmap(2) with MAP_FIXED over reserved addresses.
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <limits>
#include <utility>

#include "os/mapping.hpp"
#include "os/posix/calls.hpp"
#include "os/window.hpp"

namespace riffle::os {

namespace {

// The OS kernel maps a large folio of the page cache whole only if the address and the offset are
// equal modulo its size.
constexpr std::size_t huge_page = std::size_t{2} << 20;  // tuning

// Returns 0 if `from` can be mapped, else errno. The OS kernel asks the file system after it has unmapped
// what a MAP_FIXED call replaces: after a refusal, any other thread could take those addresses.
int try_to_map(const file& from, std::uint64_t offset, int sharing) {
  void* const at =
      mmap(nullptr, page_size(), PROT_READ, sharing, from.descriptor(), static_cast<off_t>(offset));
  if (at == MAP_FAILED) return errno;
  munmap(at, page_size());
  return 0;
}

}  // namespace

window::window(std::size_t headroom, std::size_t size, bool guarded, std::string_view name) {
  const std::optional<std::size_t> head = whole_pages(headroom);
  const std::optional<std::size_t> body = whole_pages(std::max<std::size_t>(size, 1));
  // tuning: no machine has a third of all addresses, and no sum of sizes may wrap
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

}  // namespace riffle::os
