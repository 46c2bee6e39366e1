/// Why this file exists: the facts about the machine that Linux tells.
#include <linux/magic.h>
#include <sched.h>
#include <sys/statfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <fstream>

#include "os/machine.hpp"

namespace riffle::os {

namespace {

struct magic_name {
  std::uint32_t magic;
  const char* name;
};

// Those that linux/magic.h of Debian 12 lacks are given by number.
constexpr std::array magic_names{
    magic_name{EXT4_SUPER_MAGIC, "ext4"},
    magic_name{XFS_SUPER_MAGIC, "xfs"},
    magic_name{BTRFS_SUPER_MAGIC, "btrfs"},
    magic_name{TMPFS_MAGIC, "tmpfs"},
    magic_name{OVERLAYFS_SUPER_MAGIC, "overlay"},
    magic_name{NFS_SUPER_MAGIC, "nfs"},
    magic_name{F2FS_SUPER_MAGIC, "f2fs"},
    magic_name{PROC_SUPER_MAGIC, "proc"},
    magic_name{SYSFS_MAGIC, "sysfs"},
    magic_name{RAMFS_MAGIC, "ramfs"},
    magic_name{FUSE_SUPER_MAGIC, "fuse"},
    magic_name{0x2FC12FC1U, "zfs"},
    magic_name{0x01021997U, "9p"},
    magic_name{0xFF534D42U, "cifs"},
};

}  // namespace

std::string processor_name() {
  std::ifstream facts("/proc/cpuinfo");
  for (std::string line; std::getline(facts, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown processor";
}

unsigned processor_count() {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return 1;
  return static_cast<unsigned>(CPU_COUNT(&allowed));
}

std::string kernel_release() {
  utsname facts{};
  if (uname(&facts) != 0) return "unknown kernel";
  return std::string(facts.sysname) + " " + facts.release;
}

std::uint64_t memory_size() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  return pages < 0 || page < 0 ? 0 : static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
}

std::string file_system_name(const std::filesystem::path& path) {
  struct statfs facts{};
  if (statfs(path.c_str(), &facts) != 0) return "unknown";
  const auto magic = static_cast<std::uint32_t>(facts.f_type);
  for (const magic_name& known : magic_names) {
    if (known.magic == magic) return known.name;
  }
  std::array<char, 8> digits{};
  const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), magic, 16).ptr;
  return "0x" + std::string(digits.data(), end);
}

}  // namespace riffle::os
