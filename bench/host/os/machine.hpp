/// Facts about the machine, without which a measured speed says little.
#ifndef RIFFLE_BENCH_HOST_OS_MACHINE_HPP
#define RIFFLE_BENCH_HOST_OS_MACHINE_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace riffle::os {

/// What stands for a name that the system does not tell.
inline constexpr std::string_view unknown_processor = "unknown processor";
/// The processor's name, or `unknown_processor`.
std::string processor_name();
/// Processors that this process may run on; at least 1.
unsigned processor_count();
/// Processors that run at all, this process on them or not; at least 1.
unsigned processors_online();
/// The OS kernel's name and release, such as "Linux 6.18.0".
std::string os_release();
/// All memory, in bytes; 0 if it cannot be told.
std::uint64_t memory_size();
/// Memory that programs can have without swapping, in bytes; 0 if it cannot be told.
std::uint64_t memory_available();

// The rest is empty, or 0, if the OS does not tell.

/// The caches that data goes through, the smallest first: "L1d 32 KiB", "L2 1 MiB".
std::vector<std::string> cache_sizes();
/// The OS kernel's mitigations against faults of the processor that are at work: "spectre_v2".
std::vector<std::string> mitigations();
/// "KVM", "a virtual machine", with the maker where it is known; "none" otherwise. Says if it is a container.
std::string virtualisation();
/// Of the first processor's frequency: "performance".
std::string frequency_governor();

/// Processors that other programs keep busy, measured while this program waits for a moment. If the OS does
/// not tell that: the tasks that want to run, over the last minute.
double load_of_others();
/// Seconds that the host took from this guest since it started, over all processors.
double stolen_seconds();

}  // namespace riffle::os

#endif
