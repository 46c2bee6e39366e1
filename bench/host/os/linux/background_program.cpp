/// Starts it by fork, as posix_spawn cannot ask for a signal at the parent's end.
#include "bench/host/os/background_program.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>

#include "os/posix/calls.hpp"

namespace riffle::os {

namespace {

// Between fork and exec: only what a signal handler may call.
[[noreturn]] void become(char* const* arguments, int output, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(127);  // it ended before
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::execv(arguments[0], arguments);
  ::_exit(127);
}

}  // namespace

background_program::background_program(std::vector<std::string> arguments) {
  int ends[2];
  if (open_pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), arguments[0]);
  output_ = descriptor(ends[0]);
  descriptor writing(ends[1]);
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  for (std::string& text : arguments) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ == 0) become(pointers.data(), writing.number(), parent);
  if (process_ < 0) throw std::system_error(errno, std::generic_category(), arguments[0]);
}

background_program::~background_program() {
  ::kill(process_, SIGTERM);
  while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::optional<std::string> background_program::next_line() {
  std::string line;
  char byte = 0;
  while (true) {
    const ssize_t count = ::read(output_.number(), &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0 && line.empty()) return std::nullopt;
    if (count <= 0 || byte == '\n') return line;
    line += byte;
  }
}

}  // namespace riffle::os
