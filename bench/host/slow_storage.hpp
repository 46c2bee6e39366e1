/// Far storage on this machine: a file is served by riffle-slow-fs, a program of its own.
#ifndef RIFFLE_BENCH_HOST_SLOW_STORAGE_HPP
#define RIFFLE_BENCH_HOST_SLOW_STORAGE_HPP

#include <filesystem>
#include <string>

#include "bench/host/os/background_program.hpp"
#include "bench/host/temporary_directory.hpp"

namespace riffle::bench {

/// How far it is, and who serves it.
struct slow_storage {
  std::filesystem::path program;
  unsigned latency = 0;  // microseconds a request
  unsigned served = 0;   // requests at once
};

/// Where riffle-slow-fs is: beside this program, in its libexec directory, or on PATH. Throws riffle::error,
/// with the remedy, if it is nowhere.
std::filesystem::path find_slow_fs();

/// "riffle-slow-fs, 1000 us a request, 16 at once"
std::string in_words(const slow_storage& storage);

/// A file as that storage serves it, mounted until its owner ends.
class served_file {
 public:
  /// Mounts it in a new directory in `place`. Throws riffle::error if that is refused.
  served_file(const std::filesystem::path& file, const slow_storage& storage,
              const std::filesystem::path& place);
  served_file(const served_file&) = delete;
  served_file& operator=(const served_file&) = delete;

  [[nodiscard]] std::filesystem::path path() const { return folder_.path() / "1"; }

 private:
  temporary_directory folder_;  // first: it goes when nothing is mounted there any more
  os::background_program program_;
};

}  // namespace riffle::bench

#endif
