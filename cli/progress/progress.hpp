/// The line on the terminal of standard error that tells how far a command is.
#pragma once

#include <riffle/options.hpp>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "cli/reading.hpp"

namespace riffle::cli {

/// "1.2 GiB of 4.0 GiB (30 %), 512.0 MiB/s, 0:05 left" in at most so many columns: without its last parts, if
/// they are too few. The bytes were read in so many seconds. `total` is 0 if it is unknown.
std::string progress_text(std::uint64_t bytes, std::uint64_t total, double seconds, std::size_t columns);

/// Shows the line while it exists, from the first second on, if `text::shows_progress`. Ctrl-C and SIGTERM
/// remove the line, and end the program as ever. A program has one such object at a time.
class reading_progress {
 public:
  /// The files of `given` are all that are read, if they are known. Of compressed files, the compressed bytes
  /// count. A command `writes_as_it_reads` if it prints before the end of a file.
  explicit reading_progress(const reading_arguments& given, bool writes_as_it_reads = false);
  ~reading_progress();
  reading_progress(const reading_progress&) = delete;
  reading_progress& operator=(const reading_progress&) = delete;

  /// Returns these options, so that what is read by them is progress.
  read_options counting(read_options options) {
    if (thread_.joinable()) options.compressed_progress = &bytes_;
    return options;
  }
  /// Removes the line. There is none while the result exists: call this before you write to the terminal.
  [[nodiscard]] static std::unique_lock<std::mutex> removed();

 private:
  void show();

  std::atomic<std::uint64_t> bytes_ = 0;
  std::uint64_t total_ = 0;
  std::atomic<bool> stop_ = false;
  std::condition_variable stopped_;
  std::thread thread_;
};

}  // namespace riffle::cli
