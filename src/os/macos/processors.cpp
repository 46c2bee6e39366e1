/// macOS binds no process to processors, and has no quota.
#include "os/processors.hpp"

#include <algorithm>
#include <thread>

namespace riffle::os {

unsigned usable_processors() noexcept {
  return std::max(std::thread::hardware_concurrency(), 1U);
}

}  // namespace riffle::os
