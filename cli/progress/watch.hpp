/// The thread that looks after a command which takes long: it shows the progress and handles Ctrl-C.
#ifndef RIFFLE_CLI_PROGRESS_WATCH_HPP
#define RIFFLE_CLI_PROGRESS_WATCH_HPP

#include <riffle/options.hpp>
#include <riffle/source.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cli/os/interrupts.hpp"

namespace riffle::cli {

/// Watches a command that reads files, from its construction to its destruction. On a terminal a line tells
/// the progress from the first second on. At SIGINT and SIGTERM it prints what was counted so far, and ends
/// the program by that signal.
///
/// A command that reads a few small files pays for no thread: it starts only for an input that may take
/// long, or after 50 ms. Until then the signals end the program as ever.
class reading_watch {
 public:
  struct command {
    std::span<const std::string> files = {};  // all, if they are known; they must outlive the watch
    bool copies = false;                      // it copies its input to standard output
    /// Returns what is printed at a signal: whole lines. Another thread calls it, at any time.
    std::function<std::string()> so_far = [] { return std::string(); };
  };

  explicit reading_watch(command watched) : command_(std::move(watched)) {}
  /// The line is gone then.
  ~reading_watch();
  reading_watch(const reading_watch&) = delete;
  reading_watch& operator=(const reading_watch&) = delete;

  /// Starts the thread. Call it before several threads read.
  void start();
  /// Call it with each input before it is read.
  void begin(const source& opened);
  /// The same, for a file that is not open yet.
  void begin(const std::string& name);
  /// Returns these options, so that what is read by them is progress of the command.
  read_options counting(read_options options) {
    options.progress = &bytes_;
    return options;
  }

 private:
  using clock = std::chrono::steady_clock;
  struct sample {
    clock::time_point time;
    std::uint64_t bytes;
  };

  void start_if_long(bool small_file);
  void watch();
  void draw();
  double rate_at(const sample& now);
  void find_total();
  [[noreturn]] void end_by(int signal) const noexcept;

  command command_;
  clock::time_point begun_ = clock::now();
  std::atomic<std::uint64_t> bytes_ = 0;
  std::atomic<std::uint64_t> total_ = 0;  // 0: unknown
  std::atomic<bool> started_ = false;
  std::atomic<bool> stop_ = false;
  bool shown_ = false;  // the line is allowed
  std::vector<sample> samples_;
  std::optional<os::interrupts> interrupts_;
  std::thread thread_;
  std::thread looks_for_total_;
};

}  // namespace riffle::cli

#endif
