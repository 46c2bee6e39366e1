/// A control group with a limit, and pages that fail when they are touched.
#pragma once

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

#include "tests/support/system.hpp"

namespace riffle::test {

/// Of version 1 or 2, whichever is mounted. It goes with the object.
class control_group : not_copied {
 public:
  /// A file of the group, and what is written to it.
  struct limit {
    std::string file;
    std::string value;
  };
  /// `controller` is the folder of version 1: "memory".
  control_group(const std::string& controller, const limit& of_version_1, const limit& of_version_2) {
    for (const std::string& parent : {"/sys/fs/cgroup/" + controller + "/", std::string("/sys/fs/cgroup/")}) {
      path_ = parent + "riffle-test-" + std::to_string(::getpid());
      std::error_code refused;
      granted_ = std::filesystem::create_directory(path_, refused);
      for (const limit& each : {of_version_1, of_version_2}) {
        const std::string file = path_ + "/" + each.file;
        if (granted_ && std::filesystem::exists(file) && std::ofstream(file) << each.value << std::flush)
          return;
      }
      leave();
    }
  }
  ~control_group() { leave(); }
  bool granted() const { return granted_; }
  /// What lets a shell enter the group.
  std::string enter() const { return "echo $$ > " + path_ + "/cgroup.procs; "; }

 private:
  void leave() {
    if (std::exchange(granted_, false)) ::rmdir(path_.c_str());
  }
  std::string path_;
  bool granted_ = false;
};

struct poison_request {  // uffdio_poison, which Debian 12's headers do not have yet
  uffdio_range range;
  std::uint64_t mode;
  std::int64_t updated;
};

/// Poisons pages that are mapped and not there yet. Returns whether it could.
inline bool poison(const char* at, std::size_t size) {
  const int faults = static_cast<int>(::syscall(SYS_userfaultfd, O_CLOEXEC));
  uffdio_api api{};
  api.api = UFFD_API;
  uffdio_register registered{};
  registered.range = {reinterpret_cast<std::uintptr_t>(at), size};
  registered.mode = UFFDIO_REGISTER_MODE_MISSING;
  poison_request wanted{.range = registered.range, .mode = 0, .updated = 0};
  const bool done = faults >= 0 && ::ioctl(faults, UFFDIO_API, &api) == 0 &&
                    ::ioctl(faults, UFFDIO_REGISTER, &registered) == 0 &&
                    ::ioctl(faults, _IOWR(UFFDIO, 0x08, poison_request), &wanted) == 0;
  if (faults >= 0) ::close(faults);
  return done;
}

}  // namespace riffle::test
