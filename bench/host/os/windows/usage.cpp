/// `os::usage` on Windows, which counts page faults of both kinds together, and reads also those of the
/// cache.
#include "bench/host/os/usage.hpp"

#include "os/windows/calls.hpp"  // before the other headers of the system

#include <psapi.h>

namespace riffle::os {

namespace {

double in_seconds(const FILETIME& time) {
  return static_cast<double>(joined(time.dwHighDateTime, time.dwLowDateTime)) * 1e-7;
}

}  // namespace

bench::usage usage_so_far() {
  bench::usage all;
  FILETIME begun{};
  FILETIME ended{};
  FILETIME system{};
  FILETIME user{};
  if (GetProcessTimes(GetCurrentProcess(), &begun, &ended, &system, &user) != 0) {
    all.user_seconds = in_seconds(user);
    all.system_seconds = in_seconds(system);
  }
  PROCESS_MEMORY_COUNTERS memory{};
  if (K32GetProcessMemoryInfo(GetCurrentProcess(), &memory, sizeof memory) != 0)
    all.minor_faults = static_cast<double>(memory.PageFaultCount);
  return all;
}

}  // namespace riffle::os
