/// Far storage on this machine: a file is served by riffle-slow-fs, a program of its own.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

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

/// A file as that storage serves it, mounted until its owner ends, or this process does, even by SIGKILL.
class served_file {
 public:
  /// Mounts it in a new directory in `place`. Throws riffle::error if that is refused.
  served_file(const std::filesystem::path& file, const slow_storage& storage,
              const std::filesystem::path& place);

  [[nodiscard]] std::filesystem::path path() const { return folder_.path() / "1"; }

 private:
  struct ending {
    void operator()(std::FILE* output) const noexcept { pclose(output); }
  };
  temporary_directory folder_;  // first: it goes when nothing is mounted there any more
  std::unique_ptr<std::FILE, ending> program_;
};

}  // namespace riffle::bench
