/// %TMP%, and folders in it, which belong to the user as it does.
#include "bench/host/os/temporary.hpp"

#include <cerrno>
#include <random>
#include <string>
#include <system_error>

namespace riffle::os {

std::filesystem::path temporary_folder() {
  return std::filesystem::temp_directory_path();
}

std::filesystem::path make_folder(const std::filesystem::path& prefix) {
  std::random_device numbers;
  while (true) {
    std::filesystem::path name = prefix;
    name += std::to_wstring(numbers());
    std::error_code failure;
    if (std::filesystem::create_directory(name, failure)) return name;
    if (!failure) continue;  // another has the name
    errno = failure.default_error_condition().value();
    return {};
  }
}

}  // namespace riffle::os
