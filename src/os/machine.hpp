/// Why this file exists: facts about the machine, without which a measured speed says little.
#ifndef RIFFLE_OS_MACHINE_HPP
#define RIFFLE_OS_MACHINE_HPP

#include <cstdint>
#include <string>

namespace riffle::os {

/// The processor's name, or "unknown processor".
std::string processor_name();
/// Processors that this process may run on; at least 1.
unsigned processor_count();
/// The kernel's name and release, such as "Linux 6.18.0".
std::string kernel_release();
/// All memory, in bytes; 0 when it cannot be told.
std::uint64_t memory_size();

}  // namespace riffle::os

#endif
