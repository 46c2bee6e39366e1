/// Ends the wait of a thread for bytes that may never come.
#pragma once

#include <riffle/version.hpp>

namespace riffle::os {

/// Is stopped once, by any thread. Without a free descriptor, and on Windows, it ends no wait.
class stop_event {
 public:
  stop_event() noexcept;
  stop_event(const stop_event&) = delete;
  stop_event& operator=(const stop_event&) = delete;
  ~stop_event();

  /// Ends every wait, also those that begin later.
  void stop() const noexcept;
  /// Waits until a read from the descriptor gives bytes, the end or an error. Returns false if it was
  /// stopped.
  bool wait_readable(int descriptor) const noexcept;

 private:
  int ends_[2] = {-1, -1};  // of a pipe, which has a byte once it was stopped
};

}  // namespace riffle::os
