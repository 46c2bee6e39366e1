/// Inputs, and the files that limits are measured on, are removed whatever happens.
#ifndef RIFFLE_BENCH_HOST_TEMPORARY_DIRECTORY_HPP
#define RIFFLE_BENCH_HOST_TEMPORARY_DIRECTORY_HPP

#include <filesystem>
#include <optional>

#include "bench/host/os/run_lock.hpp"

namespace riffle::bench {

/// $TMPDIR, or if that is not set /tmp or the folder of Windows. It may not exist.
std::filesystem::path temporary_place();

/// A directory that is removed, with all that is in it, at the end. If the process is killed before, the next
/// one that is made in that place removes it.
class temporary_directory {
 public:
  /// Makes a new one in $TMPDIR, or in /tmp, or in another place. Throws riffle::error.
  explicit temporary_directory(const std::filesystem::path& place = temporary_place());
  temporary_directory(const temporary_directory&) = delete;
  temporary_directory& operator=(const temporary_directory&) = delete;
  ~temporary_directory();
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
  std::optional<os::run_lock> lock_;
};

}  // namespace riffle::bench

#endif
