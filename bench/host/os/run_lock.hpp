/// A lock ends with its process, even by SIGKILL, and so tells a dead run's files from a live one's.
#ifndef RIFFLE_BENCH_HOST_OS_RUN_LOCK_HPP
#define RIFFLE_BENCH_HOST_OS_RUN_LOCK_HPP

#include <filesystem>

#include "bench/host/os/descriptor.hpp"

namespace riffle::os {

/// A file in a directory of this process. It is locked before it gets its name, and until its owner ends.
class run_lock {
 public:
  /// If the file system has no locks, there is no file.
  explicit run_lock(const std::filesystem::path& directory);
  /// The file's name.
  static constexpr const char* name = "in-use";

 private:
  descriptor file_;
};

/// Whether a directory, and no link to one, has such a file, both are of this user, and its process has
/// ended.
bool is_left_over(const std::filesystem::path& directory);

/// Whether only this user can rename or remove this user's files in a directory, and its locks are those of
/// this machine's processes.
bool is_guarded(const std::filesystem::path& directory);

}  // namespace riffle::os

#endif
