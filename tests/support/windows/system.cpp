/// Descriptors of the C library of Windows; it has no fork, and no call can be made to fail.
#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <algorithm>
#include <cerrno>

#include "tests/support/faults.hpp"
#include "tests/support/system.hpp"

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

std::ptrdiff_t read_some(int descriptor, std::span<char> into) {
  return _read(descriptor, into.data(), static_cast<unsigned>(into.size()));
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

std::optional<std::string> refusal_of_address_limits() {
  return "nothing bounds addresses on Windows";
}

std::optional<std::string> interposition_unavailable() {
  return "calls of the system cannot be replaced on Windows";
}

injection::injection(const plan&) {}
injection::~injection() = default;
std::size_t injection::calls() const {
  return 0;
}
noted_opens::noted_opens(std::string, std::function<void()>) {}
noted_opens::~noted_opens() = default;
no_reopening::no_reopening() = default;
no_reopening::~no_reopening() = default;

std::optional<std::string> allocations::unavailable() {
  return interposition_unavailable();
}
void allocations::start_failing(std::size_t, bool) noexcept {}
bool allocations::stop_failing() noexcept {
  return false;
}
std::size_t allocations::alive() noexcept {
  return 0;
}

}  // namespace riffle::test
