/// What macOS has no call for: riffle does without, or the system does not tell.
#include "os/calls.hpp"

#include <algorithm>
#include <cstdio>

#include "os/machine.hpp"
#include "os/mapping.hpp"
#include "os/posix/calls.hpp"
#include "os/stream.hpp"

namespace riffle::os {

void discard_buffer(std::FILE* stream) noexcept {
  fpurge(stream);
}

std::size_t buffered_bytes(std::FILE* stream) noexcept {
  return static_cast<std::size_t>(std::max(stream->_r, 0));
}

bool maps_huge_pages_only(int) noexcept {
  return false;
}

void separate_descriptors() noexcept {}

int cannot_allocate(int, std::uint64_t, std::size_t) noexcept {
  return 0;
}

// The OS kernel sets the capacity of a pipe by the sizes of its writes.
void widen_pipe(int) noexcept {}

void file::advise_sequential() const noexcept {}
void file::advise_will_need(std::uint64_t, std::uint64_t) const noexcept {}
void file::drop_cache(std::uint64_t, std::uint64_t) const noexcept {}

bool tells_residency(const file&) {
  return false;
}

bool touch_resident(char*, std::size_t) {
  return false;
}

int populate_for_reading(char*, std::size_t) noexcept {
  return 0;
}

void advise_huge_pages(char*, std::size_t) noexcept {}

request_sizes request_sizes_of(std::uint64_t) {
  return {};
}

}  // namespace riffle::os
