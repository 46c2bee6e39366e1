/// `os::make_folder` by mkdtemp, which lets nobody else in.
#include "bench/host/os/temporary.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <string>

namespace riffle::os {

std::filesystem::path temporary_folder() {
  return "/tmp";
}

std::filesystem::path make_folder(const std::filesystem::path& prefix) {
  std::string name = prefix.native() + "XXXXXX";
  return mkdtemp(name.data()) != nullptr ? std::filesystem::path(name) : std::filesystem::path();
}

}  // namespace riffle::os
