/// macOS tells the name of a file system; see statfs(2).
#include "os/file_system.hpp"

#include <sys/mount.h>
#include <sys/param.h>

namespace riffle::os {

std::string file_system_of(const file& file) {
  struct statfs facts{};
  return fstatfs(file.descriptor(), &facts) == 0 ? facts.f_fstypename : std::string();
}

bool in_memory(std::string_view file_system) noexcept {
  return file_system == "tmpfs";
}

bool served_elsewhere(std::string_view file_system) noexcept {
  return file_system == "nfs" || file_system == "smbfs" || file_system == "afpfs" ||
         file_system == "webdav" || file_system == "macfuse";
}

bool is_layered(std::string_view file_system) noexcept {
  return file_system == "nullfs" || file_system == "unionfs";
}

// macOS has no call that faults pages in and returns an error for those that cannot be read.
bool can_populate() {
  return false;
}

}  // namespace riffle::os
