/// A control group with a limit, in which a test runs a command. To make one takes root.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>

namespace riffle::test {

/// Of version 1 or 2, whichever is mounted. It goes with the object.
class control_group {
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
  control_group(const control_group&) = delete;
  control_group& operator=(const control_group&) = delete;
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

}  // namespace riffle::test
