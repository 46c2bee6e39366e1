/// Keeps pthread_cancel out of code from which a thread cannot be unwound.
#pragma once

namespace riffle::os {

/// While it exists, the thread that made it is not cancelled: a function that is `noexcept`, a destructor or
/// a handler that keeps every exception would end the program then. Windows cancels no threads.
class uncancelled {
 public:
  uncancelled() noexcept;
  ~uncancelled();
  uncancelled(const uncancelled&) = delete;
  uncancelled& operator=(const uncancelled&) = delete;

 private:
  int before_ = 0;
};

/// Ends this thread if it was cancelled while an `uncancelled` put that off, unless another one still does.
void end_if_cancelled();

}  // namespace riffle::os
