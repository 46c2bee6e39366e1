/// A report replaces its earlier version as a whole, so that a full disk leaves the earlier one.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace riffle::bench {

/// A file that is found at the start of a long run and written at its end. It is written beside its earlier
/// version and then renamed over it. A FIFO, a device, a mount point and a file in a directory that refuses
/// new files are written in place. Functions throw `riffle::error`, which names the path as typed.
class output_file {
 public:
  /// Tells by its first bytes whether a file may be overwritten. An empty file always may.
  using overwritable = bool (*)(std::string_view start);

  /// Whether no regular file has that name, links followed, or it may be overwritten.
  static bool may_overwrite(const std::filesystem::path& name, overwritable may);

  /// Follows links now, and never again. Makes no file. Opening a FIFO waits for its reader.
  output_file(const std::filesystem::path& typed, overwritable may);

  /// Writes the file. Refuses if what has the name by now may not be overwritten.
  void write(std::string_view text);

 private:
  struct closing {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  using stream = std::unique_ptr<std::FILE, closing>;

  [[noreturn]] void refuse() const;
  stream open(const std::filesystem::path& name, const char* mode) const;
  void check_start() const;

  std::string typed_;
  overwritable may_;
  std::filesystem::path target_;
  std::filesystem::path beside_;  // empty: it is written in place
  stream in_place_;
};

}  // namespace riffle::bench
