/// A pipe with any room has room for 4096 bytes, as much as riffle collects before it writes.
#include "cli/os/terminal.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

namespace riffle::os {

namespace {

constexpr std::size_t most_at_once = 4096;

bool has_room(int descriptor) noexcept {
  pollfd asked{descriptor, POLLOUT, 0};
  return poll(&asked, 1, 0) == 1 && (asked.revents & POLLOUT) != 0;
}

}  // namespace

std::optional<std::size_t> columns_of_terminal(int descriptor) noexcept {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

bool in_background(int descriptor) noexcept {
  const pid_t group = tcgetpgrp(descriptor);
  return group > 0 && group != getpgrp();
}

void write_unless_full(int descriptor, std::string_view text) noexcept {
  if (!has_room(descriptor)) return;
  // What a terminal does not take is lost.
  [[maybe_unused]] const ssize_t written =
      ::write(descriptor, text.data(), std::min(text.size(), most_at_once));
}

}  // namespace riffle::os
