/// Reads /proc/self/cgroup, whose lines are "0::/path" for version 2, and "5:cpu,cpuacct:/path" for
/// version 1.
#include "os/linux/cgroups.hpp"

#include <fstream>

#include "os/cancellation.hpp"

namespace riffle::os {

namespace {

// In a container, the path may begin outside: then no folder is there but the root of what is mounted, which
// is the container's own.
void each_above(cgroup_version version, const std::string& mounted, std::string path,
                const std::function<void(cgroup_version version, const std::string& folder)>& visit) {
  while (true) {
    visit(version, mounted + path);
    const auto slash = path.rfind('/');
    if (slash == std::string::npos) return;
    path.erase(slash);
  }
}

}  // namespace

void each_cgroup(std::string_view controller,
                 const std::function<void(cgroup_version version, const std::string& folder)>& visit) {
  const uncancelled asking;  // also for functions that are noexcept
  const std::string mounted = "/sys/fs/cgroup";
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string path = line.substr(second + 1);
    if (controllers == ",,") {
      each_above(cgroup_version::two, mounted, path, visit);
    } else if (controllers.find("," + std::string(controller) + ",") != std::string::npos) {
      each_above(cgroup_version::one, mounted + "/" + std::string(controller), path, visit);
    }
  }
}

}  // namespace riffle::os
