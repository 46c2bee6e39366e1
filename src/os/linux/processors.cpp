/// Asks for the affinity mask, and the CPU quota of the control groups, of version 1 or 2.
#include "os/machine.hpp"

#include <sched.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <limits>
#include <string>
#include <thread>

#include "base/remembered.hpp"
#include "os/linux/cgroups.hpp"

namespace riffle::os {

namespace {

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

}  // namespace

unsigned usable_processors() noexcept {
  static constinit remembered<unsigned> by_quota;
  return std::min(processors_of_mask(), by_quota.get(quota));
}

}  // namespace riffle::os
