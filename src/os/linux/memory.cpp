/// Asks /proc/meminfo and the memory cgroup, of version 1 or 2.
#include "os/memory.hpp"

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <limits>
#include <string>

namespace riffle::os {

namespace {

constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

std::uint64_t available() {
  std::ifstream facts("/proc/meminfo");
  std::string name;
  for (std::uint64_t kibibytes = 0; facts >> name; facts.ignore(256, '\n')) {
    if (name == "MemAvailable:" && facts >> kibibytes) return kibibytes * 1024;
  }
  return unlimited;
}

// "max" is no number, and means that there is no limit.
std::uint64_t limit_in(const std::string& path) {
  std::uint64_t number = 0;
  std::ifstream file(path);
  return file >> number ? number : unlimited;
}

// The groups above limit it too. In a container, the path may begin outside: then no file is found but that
// of the root of what is mounted, which is the container's own.
std::uint64_t limit_of_groups(const std::string& mounted, std::string path, const char* file) {
  std::uint64_t least = unlimited;
  while (true) {
    least = std::min(least, limit_in(mounted + path + "/" + file));
    const auto slash = path.rfind('/');
    if (slash == std::string::npos) return least;
    path.erase(slash);
  }
}

// Lines are "0::/path" for version 2, and "5:memory:/path" for version 1.
std::uint64_t limit() {
  std::uint64_t least = unlimited;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string path = line.substr(second + 1);
    if (controllers == ",,") {
      least = std::min(least, limit_of_groups("/sys/fs/cgroup", path, "memory.max"));
    } else if (controllers.find(",memory,") != std::string::npos) {
      least = std::min(least, limit_of_groups("/sys/fs/cgroup/memory", path, "memory.limit_in_bytes"));
    }
  }
  return least;
}

}  // namespace

std::uint64_t memory_for_cache() {
  static const std::uint64_t bytes = std::min(available(), limit());
  return bytes;
}

}  // namespace riffle::os
