/// Why this file exists: `os::usage` on Linux.
#include "os/usage.hpp"

#include <sys/resource.h>

#include <fstream>
#include <string>

namespace riffle::os {

namespace {

double in_seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

void add(usage& to, int whose) {
  rusage used{};
  if (getrusage(whose, &used) != 0) return;
  to.user_seconds += in_seconds(used.ru_utime);
  to.system_seconds += in_seconds(used.ru_stime);
  to.minor_faults += static_cast<std::uint64_t>(used.ru_minflt);
  to.major_faults += static_cast<std::uint64_t>(used.ru_majflt);
  to.voluntary_switches += static_cast<std::uint64_t>(used.ru_nvcsw);
  to.involuntary_switches += static_cast<std::uint64_t>(used.ru_nivcsw);
}

// /proc/self/io counts what threads and ended children caused too; see proc_pid_io(5).
std::uint64_t bytes_from_storage() {
  std::ifstream counters("/proc/self/io");
  std::string name;
  for (std::uint64_t value = 0; counters >> name >> value;) {
    if (name == "read_bytes:") return value;
  }
  return 0;
}

}  // namespace

usage usage_so_far() {
  usage all{};
  add(all, RUSAGE_SELF);
  add(all, RUSAGE_CHILDREN);
  all.bytes_read = bytes_from_storage();
  return all;
}

}  // namespace riffle::os
