/// Inputs, and copies of the user's files, are removed at the end.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <riffle/error.hpp>
#include <string>

namespace riffle::bench {

/// $TMPDIR, or if that is not set /tmp. It may not exist.
inline std::filesystem::path temporary_place() {
  std::error_code ignored;
  const char* const set = std::getenv("TMPDIR");
  return set != nullptr && *set != '\0' ? set : std::filesystem::temp_directory_path(ignored);
}

/// A directory that is removed, with all that is in it, at the end.
class temporary_directory {
 public:
  /// Makes a new one in $TMPDIR, or in /tmp, or in another place. Throws riffle::error.
  explicit temporary_directory(const std::filesystem::path& place = temporary_place()) {
    std::string name = (place / "riffle-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw error({errno, std::generic_category()}, "make files in", place.string(), std::nullopt,
                  "set TMPDIR to another directory");
    }
    path_ = name;
  }
  temporary_directory(const temporary_directory&) = delete;
  temporary_directory& operator=(const temporary_directory&) = delete;
  ~temporary_directory() {
    std::error_code ignored;  // what cannot be removed is left to the system's own cleaning
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace riffle::bench
