/// A folder says what the files in it permit.
#include "text/os/replacement.hpp"

#include <io.h>

#include <cerrno>

namespace riffle::os {

file create_to_replace(const std::filesystem::path& /*target*/, const std::filesystem::path& name) {
  return file::open(name, open_mode::create_new);
}

int close_descriptor(int descriptor) noexcept {
  return ::_close(descriptor) == 0 ? 0 : errno;
}

}  // namespace riffle::os
