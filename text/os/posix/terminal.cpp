/// Asks for the settings of a terminal, which nothing else has.
#include "text/os/terminal.hpp"

#include <sys/stat.h>
#include <unistd.h>

namespace riffle::os {

bool is_terminal(std::FILE* stream) noexcept {
  return isatty(fileno(stream)) == 1;
}

bool is_pipe(std::FILE* stream) noexcept {
  struct stat found{};
  return fstat(fileno(stream), &found) == 0 && (S_ISFIFO(found.st_mode) || S_ISSOCK(found.st_mode));
}

}  // namespace riffle::os
