/// Descriptors of the C library of Windows, for tests.
#include "tests/support/descriptors.hpp"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <algorithm>
#include <cerrno>

namespace riffle::test {

const char* const null_device = "NUL";

// Others may remove the file meanwhile, as on POSIX; the C library does not let them.
int open_to_read(const std::filesystem::path& path) {
  HANDLE const handle =
      CreateFileW(path.c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                  OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (handle == INVALID_HANDLE_VALUE) return -1;
  return _open_osfhandle(reinterpret_cast<std::intptr_t>(handle), _O_RDONLY | _O_BINARY | _O_NOINHERIT);
}

int open_to_write(const std::filesystem::path& path) {
  return _wopen(path.c_str(), _O_WRONLY | _O_BINARY | _O_NOINHERIT);
}

void close_descriptor(int descriptor) {
  _close(descriptor);
}

std::ptrdiff_t write_some(int descriptor, std::string_view bytes) {
  return _write(descriptor, bytes.data(),
                static_cast<unsigned>(std::min<std::size_t>(bytes.size(), 1U << 30U)));
}

std::int64_t move_to(int descriptor, std::int64_t offset) {
  return _lseeki64(descriptor, offset, SEEK_SET);
}

std::int64_t position_of(int descriptor) {
  return _telli64(descriptor);
}

bool never_wait(int pipe) {
  DWORD mode = PIPE_READMODE_BYTE | PIPE_NOWAIT;
  return SetNamedPipeHandleState(reinterpret_cast<HANDLE>(_get_osfhandle(pipe)), &mode, nullptr, nullptr) !=
         0;
}

std::optional<std::pair<int, int>> make_sockets() {
  return std::nullopt;
}
std::optional<std::pair<int, int>> make_terminal() {
  return std::nullopt;
}
bool make_fifo(const std::filesystem::path&) {
  return false;
}
std::optional<int> capacity_of(int) {
  return std::nullopt;
}
bool set_capacity(int, int) {
  return false;
}
bool bound_addresses(std::size_t) {
  return false;
}

std::pair<int, int> make_pipe() {
  int ends[2] = {-1, -1};
  constexpr unsigned capacity = 64 * 1024;
  if (_pipe(ends, capacity, _O_BINARY | _O_NOINHERIT) != 0) {
    throw std::system_error(errno, std::generic_category(), "pipe");
  }
  return {ends[0], ends[1]};
}

}  // namespace riffle::test
