/// `os::run_lock` by a file that nobody else may open as long as it is open here.
#include "bench/host/os/run_lock.hpp"

#include "os/windows/calls.hpp"  // before the other headers of the system

#include <fcntl.h>
#include <io.h>

#include <cstdint>

#include "bench/host/os/temporary.hpp"

namespace riffle::os {

namespace {

// -1 if another process has it.
descriptor open_alone(const std::filesystem::path& path, DWORD disposition) {
  owned_handle handle(CreateFileW(path.c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr, disposition,
                                  FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
  if (!handle.valid()) return descriptor();
  return descriptor(
      _open_osfhandle(reinterpret_cast<std::intptr_t>(handle.release()), _O_BINARY | _O_NOINHERIT));
}

}  // namespace

run_lock::run_lock(const std::filesystem::path& directory)
    : file_(open_alone(directory / name, CREATE_NEW)) {}

bool is_left_over(const std::filesystem::path& directory) {
  const DWORD attributes = GetFileAttributesW(directory.c_str());
  if (attributes == INVALID_FILE_ATTRIBUTES) return false;
  const bool own =
      (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0 && (attributes & FILE_ATTRIBUTE_REPARSE_POINT) == 0;
  return own && open_alone(directory / run_lock::name, OPEN_EXISTING).open();
}

// The folder for temporary files is the user's own.
bool is_guarded(const std::filesystem::path& directory) {
  std::error_code failure;
  const bool own = std::filesystem::equivalent(directory, temporary_folder(), failure);
  return own && !failure &&
         GetDriveTypeW(std::filesystem::absolute(directory).root_path().c_str()) != DRIVE_REMOTE;
}

}  // namespace riffle::os
