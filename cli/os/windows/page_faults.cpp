/// Windows counts all of them together.
#include "cli/os/page_faults.hpp"

#include "os/windows/calls.hpp"  // before the other headers of the system

#include <psapi.h>

namespace riffle::os {

page_faults page_faults_so_far() noexcept {
  PROCESS_MEMORY_COUNTERS used{};
  if (K32GetProcessMemoryInfo(GetCurrentProcess(), &used, sizeof used) == 0) return {};
  return {used.PageFaultCount, 0};
}

}  // namespace riffle::os
