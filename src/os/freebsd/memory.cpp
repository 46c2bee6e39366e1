/// Asks sysctl(3) which pages are free, or can be made so without writing.
#include "os/memory.hpp"

#include <sys/sysctl.h>
#include <sys/types.h>

#include <limits>
#include <optional>

#include "base/remembered.hpp"
#include "os/mapping.hpp"

namespace riffle::os {

namespace {

std::optional<std::uint64_t> pages(const char* name) noexcept {
  unsigned count = 0;
  std::size_t size = sizeof count;
  if (sysctlbyname(name, &count, &size, nullptr, 0) != 0) return std::nullopt;
  return count;
}

std::uint64_t available() noexcept {
  const auto free = pages("vm.stats.vm.v_free_count");
  const auto inactive = pages("vm.stats.vm.v_inactive_count");
  if (!free || !inactive) return std::numeric_limits<std::uint64_t>::max();
  return (*free + *inactive) * page_size();
}

}  // namespace

std::uint64_t memory_for_cache() {
  static constinit remembered<std::uint64_t> bytes;
  return bytes.get(available);
}

}  // namespace riffle::os
