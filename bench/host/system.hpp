/// What a measurement asks of the system: its clock and meter, the page cache, signals, temporary files and
/// slow storage.
#pragma once

#include <sys/resource.h>
#include <riffle/error.hpp>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "bench/data/report.hpp"
#include "os/file.hpp"

namespace riffle::bench {

/// Nanoseconds since any fixed moment. Tests give their own.
using clock = std::function<std::int64_t()>;
/// What this process has used so far. Tests give their own.
using meter = std::function<usage()>;

/// The clock that never goes back.
inline std::int64_t steady_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace riffle::bench

namespace riffle::os {

/// Adds the times and the page faults that the OS counted.
void add_usage(bench::usage& to, const rusage& used);
/// Of this process and of its children that have ended; 0 if the OS does not tell.
bench::usage usage_so_far();

}  // namespace riffle::os

namespace riffle::os {

/// From now on the first SIGINT, SIGTERM or SIGHUP is only noted; another one, a second or more later, ends
/// the program, as ever. A SIGHUP that nohup(1) had ignored stays so.
void note_interrupts();
/// From now on writing to a closed pipe fails, and no longer ends the program.
void outlive_readers();
/// Whether one was noted.
bool interrupted() noexcept;
/// Ends the program by the signal that was noted, so that whoever started it learns of it. Nothing is cleaned
/// up from here on.
[[noreturn]] void end_by_signal() noexcept;

}  // namespace riffle::os

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

/// Brings the files into the state, once: written files are written anew, by themselves. Returns what has to
/// be called before each run: it evicts the files, or looks whether they are still in the cache and fills it
/// again where the system has evicted some; it may do so while a run lasts, which its `bytes_read` shows.
/// `measured`: how many bytes of each file are read in a run; no more than these are brought into the cache.
/// `left_as_written`: written files are left as they are, and read again if pages were evicted.
/// Both throw riffle::error, which names the file, if that state is impossible: a file that stays in the
/// cache (on tmpfs, or mapped or dirty elsewhere) cannot be cold; and if another program changed the file, as
/// what was measured before and after cannot be compared.
std::function<void()> prepare_cache(cache_mode mode, input_files files,
                                    std::uint64_t measured = std::numeric_limits<std::uint64_t>::max(),
                                    bool left_as_written = false);

/// Asks the OS kernel to evict what it holds of the files, or of the devices, and looks at nothing. Throws
/// riffle::error if one cannot be opened.
void evict(input_files files);

/// Reads so many bytes, or to the end, as a program would that fills the cache.
void read_through(const os::file& file, std::uint64_t measured);

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
