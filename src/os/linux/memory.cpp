/// Asks /proc/meminfo and the memory cgroup, of version 1 or 2.
#include "os/machine.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

#include "base/remembered.hpp"
#include "os/linux/cgroups.hpp"

namespace riffle::os {

namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

std::uint64_t available() {
  std::ifstream facts("/proc/meminfo");
  std::string name;
  for (std::uint64_t kibibytes = 0; facts >> name; facts.ignore(256, '\n')) {
    if (name == "MemAvailable:" && facts >> kibibytes) return kibibytes * 1024;
  }
  return no_limit;
}

// "max" is no number, and means that there is no limit.
std::uint64_t limit_in(const std::string& path) {
  std::uint64_t number = 0;
  std::ifstream file(path);
  return file >> number ? number : no_limit;
}

std::uint64_t limit() {
  std::uint64_t least = no_limit;
  each_cgroup("memory", [&](cgroup_version version, const std::string& folder) {
    const char* const file = version == cgroup_version::two ? "/memory.max" : "/memory.limit_in_bytes";
    least = std::min(least, limit_in(folder + file));
  });
  return least;
}

}  // namespace

std::uint64_t memory_for_cache() {
  static constinit remembered<std::uint64_t> bytes;
  return bytes.get([] { return std::min(available(), limit()); });
}

}  // namespace riffle::os
