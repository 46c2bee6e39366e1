/// Gives errors of Windows the numbers that every other platform has.
#include <io.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <utility>

#include "os/file.hpp"
#include "os/windows/calls.hpp"

namespace riffle::os {

namespace {

// As _dosmaperr of the C library, with the errors of pipes, volumes and mappings.
constexpr std::array<std::pair<DWORD, int>, 42> numbers{{
    {ERROR_INVALID_FUNCTION, EINVAL},
    {ERROR_FILE_NOT_FOUND, ENOENT},
    {ERROR_PATH_NOT_FOUND, ENOENT},
    {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
    {ERROR_ACCESS_DENIED, EACCES},
    {ERROR_INVALID_HANDLE, EBADF},
    {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
    {ERROR_INVALID_ACCESS, EACCES},
    {ERROR_OUTOFMEMORY, ENOMEM},
    {ERROR_INVALID_DRIVE, ENOENT},
    {ERROR_WRITE_PROTECT, EROFS},
    {ERROR_NOT_READY, ENXIO},
    {ERROR_SHARING_VIOLATION, EACCES},
    {ERROR_LOCK_VIOLATION, EACCES},
    {ERROR_NOT_SUPPORTED, ENOTSUP},
    {ERROR_BAD_NETPATH, ENOENT},
    {ERROR_BAD_NET_NAME, ENOENT},
    {ERROR_FILE_EXISTS, EEXIST},
    {ERROR_INVALID_PARAMETER, EINVAL},
    {ERROR_BROKEN_PIPE, EPIPE},
    {ERROR_DISK_FULL, ENOSPC},
    {ERROR_HANDLE_DISK_FULL, ENOSPC},
    {ERROR_INVALID_NAME, ENOENT},
    {ERROR_NEGATIVE_SEEK, EINVAL},
    {ERROR_BUSY, EBUSY},
    {ERROR_BAD_PATHNAME, ENOENT},
    {ERROR_ALREADY_EXISTS, EEXIST},
    {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
    {ERROR_PIPE_BUSY, EBUSY},
    {ERROR_NO_DATA, EPIPE},
    {ERROR_PIPE_NOT_CONNECTED, EPIPE},
    {ERROR_DIRECTORY, ENOTDIR},
    {ERROR_FILE_TOO_LARGE, EFBIG},
    {ERROR_OPERATION_ABORTED, EINTR},
    {ERROR_NOACCESS, EFAULT},
    {ERROR_INVALID_ADDRESS, ENOMEM},
    {ERROR_NO_SYSTEM_RESOURCES, ENOMEM},
    {ERROR_COMMITMENT_LIMIT, ENOMEM},
    {ERROR_USER_MAPPED_FILE, EBUSY},
    {ERROR_WORKING_SET_QUOTA, ENOMEM},
    {ERROR_CANT_RESOLVE_FILENAME, ELOOP},
    {ERROR_FILE_INVALID, EINVAL},
}};

const std::pair<DWORD, int>* row_of(DWORD code) noexcept {
  return std::find_if(numbers.begin(), numbers.end(), [code](const auto& row) { return row.first == code; });
}

}  // namespace

HANDLE handle_of(int descriptor) noexcept {
  if (descriptor < 0) return INVALID_HANDLE_VALUE;
  constexpr std::intptr_t no_stream = -2;  // a standard descriptor of a program without a console
  const std::intptr_t handle = _get_osfhandle(descriptor);
  return handle == no_stream ? INVALID_HANDLE_VALUE : reinterpret_cast<HANDLE>(handle);
}

int errno_of(DWORD code) noexcept {
  const auto* row = row_of(code);
  return row != numbers.end() ? row->second : EIO;
}

void fail_with(DWORD code, std::string_view operation, std::string_view name,
               std::optional<std::uint64_t> offset, std::string_view detail) {
  if (!detail.empty() || row_of(code) != numbers.end()) fail(operation, name, offset, errno_of(code), detail);
  fail(operation, name, offset, EIO, "error " + std::to_string(code) + " of Windows");
}

}  // namespace riffle::os
