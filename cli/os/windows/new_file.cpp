/// The calls of `new_file` that are Windows'.
#include "cli/os/new_file.hpp"

#include <io.h>

#include <cerrno>

namespace riffle::os {

int close_descriptor(int descriptor) noexcept {
  return ::_close(descriptor) == 0 ? 0 : errno;
}

void outlive_full_files() noexcept {}

}  // namespace riffle::os
