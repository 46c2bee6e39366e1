/// Asks for the settings of a terminal, which nothing else has.
#include "text/os/terminal.hpp"

#include <unistd.h>

namespace riffle::os {

bool is_terminal(std::FILE* stream) noexcept {
  return isatty(fileno(stream)) == 1;
}

}  // namespace riffle::os
