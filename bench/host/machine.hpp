/// Looks at the machine: its facts, without which a measured speed says little, and the page faults of a
/// mapping.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/data/report.hpp"

namespace riffle::bench {

/// The facts of this machine and of the file system that holds `input`, a file or a directory.
machine this_machine(const std::filesystem::path& input);

/// The processor's name, or "unknown processor".
std::string processor_name();
/// The caches that data goes through, the smallest first: "L1d 32 KiB", "L2 1 MiB"; none if the OS does not
/// tell.
std::vector<std::string> cache_sizes();
/// Memory that programs can have without swapping, in bytes; 0 if it cannot be told.
std::uint64_t memory_available();
/// Processors that other programs keep busy, measured while this program waits for a moment.
double load_of_others();
/// Seconds that the host took from this guest since it started, over all processors.
double stolen_seconds();

/// Returns the faults per MiB of a mapping of the file, walked page by page, which show the size of its
/// folios: the OS kernel maps what lies around a fault too, and MADV_RANDOM does not stop it (Linux 6.18).
/// 256 or 16: pages of 4 KiB, one by one or around the fault. 0.5: large folios, mapped by huge entries.
/// Reads the file, or its first 64 MiB. Returns nothing if the file cannot be mapped.
std::optional<double> faults_per_mib(const std::filesystem::path& file);

// How the OS kernel's texts are understood; tests have those of other machines. What is not understood gives
// an empty text, or 0.

/// The value in the first line "name : value" of a text such as /proc/cpuinfo, without white space around it.
std::string field_of(std::string_view text, std::string_view name);
/// "16384 kB", "32K", "1M" in bytes.
std::uint64_t bytes_of(std::string_view size);
/// "L1d 32 KiB" of "1", "Data", "32K"; "L3 35.8 MiB" of "3", "Unified", "36608K"; empty for a cache of
/// instructions.
std::string cache_text(std::string_view level, std::string_view type, std::string_view size);
/// "nvme0n1 (Samsung SSD 990 PRO, not rotational)". A device without a model is known by its driver.
std::string device_text(const std::string& name, const std::string& model, const std::string& driver,
                        std::string_view rotational);

/// A line of /proc/self/mountinfo; see proc_pid_mountinfo(5).
struct mount {
  std::string numbers = {};      // "254:0", of the device; "0:31" if the file system has none
  std::string file_system = {};  // "ext4"
  std::string source = {};       // "/dev/vda", or whatever was mounted
};
/// The line of the mount with this number; an empty one if there is none.
mount mount_in(std::string_view mountinfo, std::string_view number);

}  // namespace riffle::bench
