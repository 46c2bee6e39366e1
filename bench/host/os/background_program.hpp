/// A program that runs beside this one, for as long as its owner wants.
#ifndef RIFFLE_BENCH_HOST_OS_BACKGROUND_PROGRAM_HPP
#define RIFFLE_BENCH_HOST_OS_BACKGROUND_PROGRAM_HPP

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "bench/host/os/descriptor.hpp"

namespace riffle::os {

class background_program {
 public:
  /// Starts `arguments` (the first is the full path of the program). Ctrl-C does not reach it; it gets
  /// SIGTERM if this process ends, even by SIGKILL. Throws std::system_error.
  explicit background_program(std::vector<std::string> arguments);
  background_program(const background_program&) = delete;
  background_program& operator=(const background_program&) = delete;
  /// Sends SIGTERM, and waits for its end.
  ~background_program();

  /// Waits for the next line that it prints, on standard output or standard error. Nothing: it prints no
  /// more.
  std::optional<std::string> next_line();

 private:
  descriptor output_;
  pid_t process_ = -1;
};

}  // namespace riffle::os

#endif
