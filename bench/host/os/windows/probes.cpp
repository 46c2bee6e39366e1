/// `os::probes` on Windows.
#include "bench/host/os/probes.hpp"

#include "os/windows/calls.hpp"  // before the other headers of the system

#include <psapi.h>

#include "os/mapping.hpp"

namespace riffle::os {

namespace {

std::uint64_t faults_so_far() {
  PROCESS_MEMORY_COUNTERS memory{};
  K32GetProcessMemoryInfo(GetCurrentProcess(), &memory, sizeof memory);
  return memory.PageFaultCount;
}

}  // namespace

std::uint64_t faults_of_walk(const file& opened, std::uint64_t length) {
  const mapping pages(opened, 0, length, protection::read, {.populate = false}, true);
  const std::span<char> bytes = pages.bytes();
  const std::uint64_t before = faults_so_far();
  const volatile char* const at = bytes.data();
  for (std::uint64_t offset = 0; offset < length; offset += page_size()) static_cast<void>(at[offset]);
  return faults_so_far() - before;
}

}  // namespace riffle::os
