/// A process that stays and answers each line that it is sent by a line.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "bench/host/os/command.hpp"

namespace riffle::os {

/// Its standard error is read, and told if it ends.
class worker {
 public:
  /// Starts it. Throws riffle::error if no process can be had; a program that cannot be started ends at once.
  explicit worker(const program& what);
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;
  /// Closes its standard input, waits for its end, and kills what runs on.
  ~worker();

  /// Sends a line. Returns the one that it answers, without its end. Throws std::runtime_error if it ends
  /// first, answers a line of more than 1 MiB, or takes longer than `most_seconds`; it is killed then, and by
  /// Ctrl-C and the like.
  std::string ask(std::string_view line, double most_seconds);

 private:
  class process;
  std::unique_ptr<process> process_;
};

}  // namespace riffle::os
