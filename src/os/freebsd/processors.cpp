/// Asks for the set of processors of this process; see cpuset(2).
#include "os/processors.hpp"

#include <sys/param.h>

#include <sys/cpuset.h>  // needs sys/param.h

#include <algorithm>
#include <thread>

namespace riffle::os {

unsigned usable_processors() noexcept {
  cpuset_t allowed{};
  const bool told = cpuset_getaffinity(CPU_LEVEL_WHICH, CPU_WHICH_PID, -1, sizeof allowed, &allowed) == 0;
  const int count = told ? CPU_COUNT(&allowed) : 0;
  return count > 0 ? static_cast<unsigned>(count) : std::max(std::thread::hardware_concurrency(), 1U);
}

}  // namespace riffle::os
