/// Descriptors of POSIX systems, for tests.
#include "tests/support/system.hpp"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace riffle::test {

const char* const null_device = "/dev/null";

int open_to_read(const std::filesystem::path& path) {
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
}

int open_to_write(const std::filesystem::path& path) {
  return ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
}

void close_descriptor(int descriptor) {
  ::close(descriptor);
}

std::ptrdiff_t read_some(int descriptor, std::span<char> into) {
  return ::read(descriptor, into.data(), into.size());
}

std::ptrdiff_t write_some(int descriptor, std::string_view bytes) {
  return ::write(descriptor, bytes.data(), bytes.size());
}

std::int64_t move_to(int descriptor, std::int64_t offset) {
  return ::lseek(descriptor, static_cast<off_t>(offset), SEEK_SET);
}

std::int64_t position_of(int descriptor) {
  return ::lseek(descriptor, 0, SEEK_CUR);
}

bool never_wait(int pipe) {
  return ::fcntl(pipe, F_SETFL, O_NONBLOCK) == 0;
}

std::optional<std::pair<int, int>> make_sockets() {
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return std::nullopt;
  ::signal(SIGPIPE, SIG_IGN);
  return std::pair(ends[0], ends[1]);
}

std::optional<std::pair<int, int>> make_terminal() {
  const int keys = ::posix_openpt(O_RDWR | O_NOCTTY);
  if (keys < 0 || ::grantpt(keys) != 0 || ::unlockpt(keys) != 0) return std::nullopt;
  return std::pair(keys, ::open(::ptsname(keys), O_RDWR | O_NOCTTY));
}

bool make_fifo(const std::filesystem::path& path) {
  return ::mkfifo(path.c_str(), 0600) == 0;
}

bool bound_addresses(std::size_t bytes) {
  rlimit limit{};
  limit.rlim_cur = limit.rlim_max = bytes;
  return ::setrlimit(RLIMIT_AS, &limit) == 0;
}

std::pair<int, int> make_pipe() {
  int ends[2] = {-1, -1};
  if (::pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  ::signal(SIGPIPE, SIG_IGN);
  return {ends[0], ends[1]};
}

}  // namespace riffle::test
