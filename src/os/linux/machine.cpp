/// Asks /proc, /sys and the control groups for memory, processors and the sizes of requests.
#include <sched.h>
#include <sys/sysmacros.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/remembered.hpp"
#include "os/facts.hpp"
#include "os/threads.hpp"

namespace riffle::os {

namespace {

/// How the files of a control group are called.
enum class cgroup_version { one, two };
using group_visitor = std::function<void(cgroup_version version, const std::string& folder)>;

// In a container, the path may begin outside: then no folder is there but the root of what is mounted, which
// is the container's own.
void each_above(cgroup_version version, const std::string& mounted, std::string path,
                const group_visitor& visit) {
  while (true) {
    visit(version, mounted + path);
    const auto slash = path.rfind('/');
    if (slash == std::string::npos) return;
    path.erase(slash);
  }
}

// Calls `visit` with the folder of each group that limits the process by `controller` ("memory", "cpu"), and
// of the groups above, which limit it too.
void each_cgroup(std::string_view controller, const group_visitor& visit) {
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

constexpr unsigned unlimited = std::numeric_limits<unsigned>::max();

// "max" and -1 mean that there is no quota.
unsigned processors_of(long long quota, long long period) {
  if (quota <= 0 || period <= 0) return unlimited;
  return static_cast<unsigned>(std::min<long long>((quota - 1) / period + 1, unlimited));
}

long long number_in(const std::string& path) {
  long long number = 0;
  std::ifstream file(path);
  return file >> number ? number : 0;
}

unsigned quota_in(cgroup_version version, const std::string& folder) {
  if (version == cgroup_version::one) {
    return processors_of(number_in(folder + "/cpu.cfs_quota_us"), number_in(folder + "/cpu.cfs_period_us"));
  }
  long long quota = 0;
  long long period = 0;
  std::ifstream file(folder + "/cpu.max");
  return file >> quota >> period ? processors_of(quota, period) : unlimited;
}

// std::thread::hardware_concurrency counts all that are online. A machine may have more than a cpu_set_t
// holds.
unsigned processors_of_mask() noexcept {
  constexpr int most = 1 << 16;
  for (int count = CPU_SETSIZE; count <= most; count *= 2) {
    cpu_set_t* const mask = CPU_ALLOC(static_cast<std::size_t>(count));
    if (mask == nullptr) break;
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(count));
    const bool known = sched_getaffinity(0, size, mask) == 0;
    const int allowed = known ? CPU_COUNT_S(size, mask) : 0;
    CPU_FREE(mask);
    if (allowed > 0) return static_cast<unsigned>(allowed);
  }
  return std::max(std::thread::hardware_concurrency(), 1U);
}

unsigned quota() noexcept {
  unsigned least = unlimited;
  try {
    each_cgroup("cpu", [&](cgroup_version version, const std::string& folder) {
      least = std::min(least, quota_in(version, folder));
    });
  } catch (const std::exception&) {
    least = unlimited;  // no memory to ask
  }
  return least;
}

std::optional<std::uint64_t> kibibytes(const std::string& path) {
  std::uint64_t number = 0;
  if (std::ifstream file(path); file >> number) return number * 1024;
  return std::nullopt;
}

}  // namespace

std::uint64_t memory_for_cache() {
  static constinit remembered<std::uint64_t> bytes;
  return bytes.get([] { return std::min(available(), limit()); });
}

unsigned usable_processors() noexcept {
  static constinit remembered<unsigned> by_quota;
  return std::min(processors_of_mask(), by_quota.get(quota));
}

// A network or FUSE file system has an entry under bdi alone, a disk a queue, and a partition that of its
// disk.
request_sizes request_sizes_of(std::uint64_t device) {
  const std::string number = std::to_string(major(device)) + ":" + std::to_string(minor(device));
  const std::string disk = "/sys/dev/block/" + number;
  request_sizes sizes;
  for (const std::string& queue : {disk + "/queue/", disk + "/../queue/"}) {
    if (const auto largest = kibibytes(queue + "max_sectors_kb")) sizes.largest = *largest;
    if (const auto ahead = kibibytes(queue + "read_ahead_kb")) sizes.readahead = *ahead;
  }
  if (const auto ahead = kibibytes("/sys/class/bdi/" + number + "/read_ahead_kb")) sizes.readahead = *ahead;
  return sizes;
}

}  // namespace riffle::os
