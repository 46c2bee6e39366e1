/// `os::usage` by getrusage(2).
#include "bench/host/os/usage.hpp"

#include <sys/resource.h>

#include "bench/host/os/posix/usage.hpp"

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

}  // namespace

usage usage_so_far() {
  usage all{};
  add(all, RUSAGE_SELF);
  add(all, RUSAGE_CHILDREN);
  all.bytes_read = bytes_from_storage();
  return all;
}

}  // namespace riffle::os
