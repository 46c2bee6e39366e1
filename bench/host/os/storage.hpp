/// Where a file lies: the file system, the device under it, and how far the OS kernel reads ahead.
#ifndef RIFFLE_BENCH_HOST_OS_STORAGE_HPP
#define RIFFLE_BENCH_HOST_OS_STORAGE_HPP

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "os/file.hpp"

namespace riffle::os {

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

#endif
