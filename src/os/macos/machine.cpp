/// Asks the Mach host which pages are free, or can be made so without writing. macOS binds no process to
/// processors, and has no quota.
#include "os/machine.hpp"

#include <mach/mach.h>

#include <algorithm>
#include <limits>
#include <thread>

#include "base/remembered.hpp"
#include "os/mapping.hpp"

namespace riffle::os {

namespace {

std::uint64_t available() noexcept {
  vm_statistics64_data_t pages{};
  mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
  const mach_port_t host = mach_host_self();
  const kern_return_t result =
      host_statistics64(host, HOST_VM_INFO64, reinterpret_cast<host_info64_t>(&pages), &count);
  mach_port_deallocate(mach_task_self(), host);
  if (result != KERN_SUCCESS) return std::numeric_limits<std::uint64_t>::max();
  return (std::uint64_t{pages.free_count} + pages.external_page_count) * page_size();
}

}  // namespace

std::uint64_t memory_for_cache() {
  static constinit remembered<std::uint64_t> bytes;
  return bytes.get(available);
}

unsigned usable_processors() noexcept {
  return std::max(std::thread::hardware_concurrency(), 1U);
}

}  // namespace riffle::os
