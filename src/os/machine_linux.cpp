/// Why this file exists: the facts about the machine that Linux tells.
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>

#include "os/machine.hpp"

namespace riffle::os {

std::string processor_name() {
  std::ifstream facts("/proc/cpuinfo");
  for (std::string line; std::getline(facts, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

unsigned processor_count() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  return static_cast<unsigned>(CPU_COUNT(&allowed));
}

std::string kernel_release() {
  utsname facts{};
  if (uname(&facts) != 0) return "unknown kernel";
  return std::string(facts.sysname) + " " + facts.release;
}

std::uint64_t memory_size() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  return pages < 0 || page < 0 ? 0 : static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
}

}  // namespace riffle::os
