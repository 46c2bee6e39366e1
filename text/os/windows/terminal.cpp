/// Asks the console, as _isatty is true for every character device, NUL among them.
#include "text/os/terminal.hpp"

#include <io.h>

#include "os/windows/console.hpp"

namespace riffle::os {

bool is_terminal(std::FILE* stream) noexcept {
  return is_console(handle_of(_fileno(stream)));
}

bool is_pipe(std::FILE* stream) noexcept {
  return GetFileType(handle_of(_fileno(stream))) == FILE_TYPE_PIPE;
}

std::size_t columns_of_terminal(std::FILE* stream) noexcept {
  CONSOLE_SCREEN_BUFFER_INFO console{};
  if (GetConsoleScreenBufferInfo(handle_of(_fileno(stream)), &console) == 0) return 80;
  return static_cast<std::size_t>(console.srWindow.Right - console.srWindow.Left + 1);
}

}  // namespace riffle::os
