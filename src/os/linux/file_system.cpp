/// Finds the name of a file system by the number that Linux reports for it.
#include "os/file_system.hpp"

#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/remembered.hpp"

namespace riffle::os {

namespace {

// From linux/magic.h and the file systems' own headers; see statfs(2).
constexpr std::array<std::pair<std::uint32_t, const char*>, 17> file_systems{{
    {0xEF53, "ext4"},
    {0x58465342, "xfs"},
    {0x9123683E, "btrfs"},
    {0x01021994, "tmpfs"},
    {0x858458F6, "ramfs"},
    {0x794C7630, "overlay"},
    {0x9FA0, "proc"},
    {0x62656572, "sysfs"},
    {0x65735546, "fuse"},
    {0x6969, "nfs"},
    {0xFF534D42, "cifs"},
    {0xFE534D42, "smb2"},
    {0xF2F52010, "f2fs"},
    {0x2FC12FC1, "zfs"},
    {0x73717368, "squashfs"},
    {0xE0F5E1E2, "erofs"},
    {0x4D44, "vfat"},
}};

}  // namespace

std::string file_system_of(const file& file) {
  struct statfs facts{};
  if (fstatfs(file.descriptor(), &facts) != 0) return {};
  const auto magic = static_cast<std::uint32_t>(facts.f_type);
  const auto* found = std::find_if(file_systems.begin(), file_systems.end(),
                                   [magic](const auto& row) { return row.first == magic; });
  return found != file_systems.end() ? found->second : std::string();
}

bool in_memory(std::string_view file_system) noexcept {
  return file_system == "tmpfs" || file_system == "ramfs";
}

bool served_elsewhere(std::string_view file_system) noexcept {
  return file_system == "nfs" || file_system == "cifs" || file_system == "smb2" || file_system == "fuse";
}

bool is_layered(std::string_view file_system) noexcept {
  return file_system == "overlay";
}

bool can_populate() {
  static constinit remembered<bool> works;
  return works.get([] {
    constexpr int populate_read = 22;  // MADV_POPULATE_READ
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void* address = mmap(nullptr, page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (address == MAP_FAILED) return false;
    const bool answer = madvise(address, page, populate_read) == 0;
    munmap(address, page);
    return answer;
  });
}

}  // namespace riffle::os
