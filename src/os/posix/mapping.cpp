/// The calls of `os::mapping` on POSIX systems: mmap(2), and the first page that cannot be faulted in.
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

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

}  // namespace riffle::os
