/// Sets the permissions of the descriptor, before a byte is written.
#include "text/os/replacement.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace riffle::os {

namespace {

// Returns whether the new file has the permissions of the old one. File systems without any refuse a change.
bool has_permissions(int made, const struct stat& old) {
  struct stat now{};
  if (fstat(made, &now) != 0) return false;
  mode_t wanted = old.st_mode & 0777U;
  if (now.st_gid != old.st_gid) wanted &= 0707U | (wanted & 07U) << 3U;
  return (now.st_mode & 0777U) == wanted || fchmod(made, wanted) == 0;
}

}  // namespace

file create_to_replace(const std::filesystem::path& target, const std::filesystem::path& name) {
  struct stat old{};
  const bool keeps = lstat(target.c_str(), &old) == 0 && S_ISREG(old.st_mode) && old.st_uid == geteuid();
  file made = file::open(name, keeps ? open_mode::create_private : open_mode::create_new);
  if (keeps && !has_permissions(made.descriptor(), old)) {
    const int code = errno;
    unlink(name.c_str());
    fail("create", made.name(), std::nullopt, code, "it cannot get the permissions of the file it replaces");
  }
  return made;
}

// Linux closes the descriptor also if a signal interrupts the call.
int close_descriptor(int descriptor) noexcept {
  return ::close(descriptor) == 0 || errno == EINTR ? 0 : errno;
}

}  // namespace riffle::os
