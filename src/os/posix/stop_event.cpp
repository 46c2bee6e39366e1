/// Implements `os::stop_event` by a pipe and poll(2).
#include "os/stop_event.hpp"

#include <poll.h>
#include <unistd.h>

#include "os/cancellation.hpp"
#include "os/posix/calls.hpp"
#include "os/posix/uninterrupted.hpp"

namespace riffle::os {

stop_event::stop_event() noexcept {
  if (open_pipe(ends_) != 0) ends_[0] = ends_[1] = -1;  // which poll ignores
}

stop_event::~stop_event() {
  const uncancelled closing;
  for (const int end : ends_) {
    if (end >= 0) ::close(end);
  }
}

void stop_event::stop() const noexcept {
  static_cast<void>(uninterrupted([this] { return ::write(ends_[1], "", 1); }));
}

bool stop_event::wait_readable(int descriptor) const noexcept {
  pollfd waited[2] = {{descriptor, POLLIN, 0}, {ends_[0], POLLIN, 0}};
  static_cast<void>(uninterrupted([&] { return poll(waited, 2, -1); }));
  return waited[1].revents == 0;
}

}  // namespace riffle::os
