/// `os::probes` by system calls that every POSIX system has.
#include "bench/host/os/probes.hpp"

#include <sys/resource.h>

#include "os/mapping.hpp"

namespace riffle::os {

namespace {

#ifdef RUSAGE_THREAD
constexpr int counted = RUSAGE_THREAD;
#else
constexpr int counted = RUSAGE_SELF;  // macOS counts for the process alone
#endif

std::uint64_t faults_so_far() {
  rusage used{};
  getrusage(counted, &used);
  return static_cast<std::uint64_t>(used.ru_minflt);
}

}  // namespace

std::uint64_t faults_of_walk(const file& opened, std::size_t length) {
  const mapping pages(opened, 0, length, protection::read, {.populate = false}, true);
  const std::span<char> bytes = pages.bytes();
  const std::uint64_t before = faults_so_far();
  const volatile char* const at = bytes.data();
  for (std::size_t offset = 0; offset < length; offset += page_size()) static_cast<void>(at[offset]);
  return faults_so_far() - before;
}

}  // namespace riffle::os
