/// Inputs, and copies of the user's files, are removed at the end.
#pragma once

#include <filesystem>

namespace riffle::bench {

/// $TMPDIR, or if that is not set /tmp. It may not exist.
std::filesystem::path temporary_place();

/// A directory that is removed, with all that is in it, at the end.
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
};

}  // namespace riffle::bench
