/// Facts about the machine, without which a measured speed says little.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace riffle::os {

class file;

/// The processor's name, or "unknown processor".
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
/// Of the first processor's frequency: "performance".
std::string frequency_governor();

/// Processors that other programs keep busy, measured while this program waits for a moment.
double load_of_others();
/// Seconds that the host took from this guest since it started, over all processors.
double stolen_seconds();

/// A line of /proc/self/mountinfo; see proc_pid_mountinfo(5).
struct mount {
  std::string numbers = {};      // "254:0", of the device; "0:31" where the file system has none
  std::string file_system = {};  // "ext4"
  std::string source = {};       // "/dev/vda", or whatever was mounted
};

/// The line of the mount with this number; an empty one if there is none.
mount mount_in(std::string_view mountinfo, std::string_view number);

/// What a block device says about itself, and how that reads.
struct device_signs {
  std::string name = {};        // "vda", "sda2"
  std::string model = {};       // "Samsung SSD 990 PRO"
  std::string driver = {};      // "virtio_blk"
  std::string rotational = {};  // "0" or "1"
};

/// "nvme0n1 (Samsung SSD 990 PRO, not rotational)"; empty without a name.
std::string device_text(const device_signs& signs);

/// Empty, or 0, if the OS does not tell.
struct storage {
  std::string file_system = {};
  std::string device = {};
  std::uint64_t read_ahead = 0;  // bytes
};

/// Of an open file or directory. Never throws.
storage storage_of(const file& opened);

}  // namespace riffle::os
