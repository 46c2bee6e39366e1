/// A report replaces its earlier version as a whole, and a link put in its way leads to no other file.
#ifndef RIFFLE_BENCH_HOST_OS_OUTPUT_FILE_HPP
#define RIFFLE_BENCH_HOST_OS_OUTPUT_FILE_HPP

#include <filesystem>
#include <string>
#include <string_view>

#include "bench/host/os/descriptor.hpp"

namespace riffle::os {

/// A file that is found at the start of a long run and written at its end. A regular file is written beside
/// its earlier version and then renamed over it, so that a full disk leaves the earlier one. What cannot be
/// replaced is written in place: a FIFO, a device, a link in /proc such as /dev/stdout, a file in a directory
/// that refuses new files, a mount point. Functions throw `riffle::error`, which names the path as typed.
class output_file {
 public:
  /// Tells by its first bytes whether a file may be overwritten. An empty file always may.
  using overwritable = bool (*)(std::string_view start);

  /// Follows links now, and never again. Makes no file. Opening a FIFO waits for its reader.
  output_file(const std::filesystem::path& typed, overwritable may);

  /// Writes the file. Refuses if what has the name by now is a link or may not be overwritten.
  void write(std::string_view text) const;

 private:
  [[noreturn]] void refuse() const;
  void check_start(const descriptor& opened) const;
  void find(const std::filesystem::path& target);
  [[nodiscard]] bool replace(std::string_view text) const;
  void write_all(int to, std::string_view text) const;

  std::string typed_;
  overwritable may_;
  descriptor directory_;  // of the name below; none if links in /proc lead to the file
  std::string name_;
  descriptor present_;  // the file that was there at the start
  bool in_place_ = true;
};

}  // namespace riffle::os

#endif
