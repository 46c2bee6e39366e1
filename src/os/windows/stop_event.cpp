/// Implements `os::stop_event` without a wait: no call waits for a pipe and another thing.
#include "os/stop_event.hpp"

namespace riffle::os {

stop_event::stop_event() noexcept = default;
stop_event::~stop_event() = default;
void stop_event::stop() const noexcept {}
bool stop_event::wait_readable(int /*descriptor*/) const noexcept {
  return true;
}

}  // namespace riffle::os
