/// Asks cachestat(2) what is cached, or mincore(2) if cachestat is missing or wrong.
#include "os/page_cache.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "os/file_system.hpp"
#include "os/mapping.hpp"

namespace riffle::os {

namespace {

struct cachestat_range {
  std::uint64_t offset;
  std::uint64_t length;
};
struct cachestat_result {
  std::uint64_t cached, dirty, writeback, evicted, recently_evicted;
};

constexpr long cachestat_call = 451;  // the same on every architecture; Debian 12's headers are older than it

// On overlay the pages of a file belong to another inode, at which cachestat does not look: it reports 0 for
// a file that is cached (seen on Linux 6.18). A mapping leads to that inode, so mincore sees them.
bool cachestat_tells(const file& file) {
  return !is_layered(file_system_of(file));
}

std::optional<std::uint64_t> by_cachestat(const file& file, std::uint64_t offset, std::uint64_t length) {
  const cachestat_range range{offset, length};
  cachestat_result result{};
  if (syscall(cachestat_call, file.descriptor(), &range, &result, 0) != 0) return std::nullopt;
  return result.cached;
}

// Returns whether all pages of mapped memory are in the page cache. Those that failed to be read are not.
bool all_resident(char* at, std::size_t length) {
  std::array<unsigned char, 4096> states;
  while (length != 0) {
    const std::size_t size = std::min(length, states.size() * page_size());
    if (mincore(at, size, states.data()) != 0) return false;
    const auto last = states.begin() + static_cast<std::ptrdiff_t>(page_count(size));
    if (!std::all_of(states.begin(), last, [](unsigned char state) { return (state & 1U) != 0; }))
      return false;
    at += size;
    length -= size;
  }
  return true;
}

std::optional<std::uint64_t> by_mincore(const file& file, std::uint64_t offset, std::uint64_t length) {
  constexpr std::size_t piece = 64 << 20;
  if (!tells_residency(file)) return std::nullopt;
  std::vector<unsigned char> states(
      static_cast<std::size_t>(page_count(std::min<std::uint64_t>(piece, length))));
  std::uint64_t resident = 0;
  for (const std::uint64_t end = offset + length; offset < end; offset += piece) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(piece, end - offset));
    void* const address =
        mmap(nullptr, size, PROT_READ, MAP_SHARED, file.descriptor(), static_cast<off_t>(offset));
    if (address == MAP_FAILED) return std::nullopt;
    const int result = mincore(address, size, states.data());
    munmap(address, size);
    if (result != 0) return std::nullopt;
    const auto last = states.begin() + static_cast<std::ptrdiff_t>(page_count(size));
    resident += static_cast<std::uint64_t>(
        std::count_if(states.begin(), last, [](unsigned char state) { return (state & 1U) != 0; }));
  }
  return resident;
}

std::optional<std::uint64_t> resident_pages(const file& file, std::uint64_t offset, std::uint64_t length,
                                            bool by_one_call) {
  if (length == 0) return 0;  // which cachestat would take for "to the end"
  if (const auto pages = by_one_call ? by_cachestat(file, offset, length) : std::nullopt) return pages;
  return by_mincore(file, offset, length);
}

}  // namespace

// The name of a file system that is far takes time, and is of no use for pages that cachestat finds.
std::optional<std::uint64_t> resident_pages(const file& file, std::uint64_t offset, std::uint64_t length) {
  const auto pages = resident_pages(file, offset, length, true);
  if (pages && (*pages != 0 || cachestat_tells(file))) return pages;
  return by_mincore(file, offset, length);
}

// Looking at all pages of a large file would take milliseconds if they were cached one by one. Two samples
// take less than a hundredth of the time to read 8 MiB.
std::optional<double> resident_share(const file& file, std::uint64_t size, std::uint64_t begin) {
  const std::uint64_t samples = std::clamp<std::uint64_t>(size >> 23U, 2, 8);  // one for 8 MiB
  constexpr std::uint64_t sample = 64 * 1024;
  if (size == 0) return std::nullopt;
  const std::uint64_t page = page_size();
  const std::uint64_t last = size - std::min(size, sample);
  const std::uint64_t step = size > samples * sample ? last / (samples - 1) : sample;
  const bool by_one_call = cachestat_tells(file);
  std::uint64_t seen = 0;
  std::uint64_t resident = 0;
  for (std::uint64_t offset = 0; offset < size; offset += step) {
    const std::uint64_t length = std::min(sample, size - offset);
    const auto cached = resident_pages(file, (begin + offset) / page * page, length, by_one_call);
    if (!cached) return std::nullopt;
    seen += page_count(length);
    resident += *cached;
  }
  return std::min(1.0, static_cast<double>(resident) / static_cast<double>(seen));
}

// If the user neither owns the file nor may write it, mincore reports that all of it
// is cached; see mincore(2).
bool tells_residency(const file& from) {
  struct stat facts{};
  if (geteuid() == 0 || (fstat(from.descriptor(), &facts) == 0 && facts.st_uid == geteuid())) return true;
  return access(("/proc/thread-self/fd/" + std::to_string(from.descriptor())).c_str(), W_OK) == 0;
}

// At a fault the OS kernel also maps the cached pages around it, up to 64 KiB (fault_around_bytes in
// mm/memory.c). MADV_POPULATE_READ takes those faults too, and then walks page by page: with cached pages of
// 4 KiB that is a fifth of the time in which their newlines are counted (docs/tried.md).
bool touch_resident(char* at, std::size_t length) {
  constexpr std::size_t fault_around = 64 * 1024;
  for (std::size_t i = 0; i < length; i += fault_around) {
    static_cast<void>(*static_cast<const volatile char*>(at + i));
  }
  return all_resident(at, length);
}

}  // namespace riffle::os
