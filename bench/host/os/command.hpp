/// Runs a command of the user's as a process, over and over, and says what each run took.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/data/sample.hpp"

namespace riffle::os {

/// How a run ended.
struct command_end {
  double seconds = 0;        // from the start of the process to its end
  bench::usage usage = {};   // of the process, and of its children that it waited for
  std::string failure = {};  // "exit status 2: " and what it wrote to standard error; empty: it exited with 0
  bool late = false;         // it took longer than it may, and was stopped
};

/// Its standard input is empty, its environment that of riffle. What it leaves running ends with it.
class command {
 public:
  /// One word is a line for sh(1), several are a program, which is searched in PATH, and its arguments. A
  /// small process is forked that starts the command for each run, as the peak of a process is never below
  /// that of the one that starts it. A run that takes longer than `most_seconds` is stopped. Throws
  /// riffle::error if it cannot be had.
  command(const std::vector<std::string>& words, double most_seconds);
  command(const command&) = delete;
  command& operator=(const command&) = delete;
  /// Kills what still runs.
  ~command();

  void start();
  /// Returns how many bytes of its standard output came; 0: it has ended. After Ctrl-C and the like, or
  /// `stop`, it is sent SIGTERM, and SIGKILL half a second later.
  std::size_t read(std::span<char> into);
  void stop() noexcept;
  /// Reads what is left of its output. Returns how the run that `start` began ended. Throws riffle::error if
  /// the program could not be started.
  command_end end();

 private:
  class process;
  std::unique_ptr<process> process_;
};

}  // namespace riffle::os
