/// Runs programs as processes, one at a time, over and over, and says what each run took.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/data/report.hpp"

namespace riffle::os {

/// What a process is started from.
struct program {
  std::vector<std::string> words;             // its name, which is searched in PATH, and its arguments
  std::vector<std::string> environment = {};  // "LC_ALL=C": beside riffle's own, or in place of it
  std::string directory = {};                 // empty: riffle's own
};

/// The full path of `program` if PATH leads to it.
std::optional<std::string> find_program(std::string_view program);

/// How a run ended.
struct command_end {
  double seconds = 0;        // from the start of the process to its end
  bench::usage usage = {};   // of the process, and of its children that it waited for
  std::string failure = {};  // "exit status 2: " and what it wrote to standard error; empty: it exited with 0
  bool late = false;         // it took longer than it may, and was stopped
};

/// A pipe or another pair of descriptors; -1: closed.
struct pipe_ends {
  int reading = -1;
  int writing = -1;

  pipe_ends() = default;
  pipe_ends(const pipe_ends&) = delete;
  pipe_ends& operator=(const pipe_ends&) = delete;
  ~pipe_ends() { close(); }
  void close() noexcept;
};

/// What the small process writes after a run. It is smaller than what a pipe takes at once.
struct told {
  double seconds = 0;
  bench::usage usage = {};
  int status = 0;   // of wait4(2)
  int refused = 0;  // errno, if the command could not be started
};

/// A small process that starts programs, as the peak of a process is never below that of the one that starts
/// it. What they leave running ends with them.
class launcher {
 public:
  launcher() = default;
  launcher(const launcher&) = delete;
  launcher& operator=(const launcher&) = delete;
  /// Kills what still runs.
  ~launcher();

  /// Forks the small process, which the first `start` does else. Throws riffle::error if it cannot be had.
  void get_ready();
  /// Starts the program, which is stopped if it runs longer than `most_seconds`. Its standard input is empty,
  /// or what `write` writes: then it is stopped too if it closes its output.
  void start(const program& what, double most_seconds, bool with_input = false);
  /// From now on it may run for so long.
  void write(std::string_view text, double most_seconds);
  void close_input(double most_seconds);
  /// Returns how many bytes of its standard output came; 0: it has ended. After Ctrl-C and the like, or
  /// `stop`, it is sent SIGTERM, and SIGKILL half a second later.
  std::size_t read(std::span<char> into);
  void stop() noexcept;
  /// Reads what is left of its output. Returns how the run that `start` began ended. Throws riffle::error if
  /// the program could not be started.
  command_end end();

 private:
  void quit() noexcept;
  void end_within(double most_seconds);

  pid_t child_ = -1;
  pipe_ends requests_;
  pipe_ends input_, output_, errors_;  // of the program that runs
  std::string name_;
  told all_;
  std::string complaint_;
  bool running_ = false;
  bool late_ = false;
  std::int64_t ends_by_ = 0;
  std::int64_t stopped_at_ = 0;  // 0: it runs on
};

}  // namespace riffle::os
