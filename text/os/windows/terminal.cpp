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

}  // namespace riffle::os
