/// Asks for the settings of a terminal, which nothing else has.
#include "text/os/terminal.hpp"

#include <sys/ioctl.h>
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

std::size_t columns_of_terminal(std::FILE* stream) noexcept {
  winsize size{};
  return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col != 0 ? size.ws_col : 80;
}

}  // namespace riffle::os
