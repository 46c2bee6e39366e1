/// Keeps signals that are meant for the program away from threads of the library.
#ifndef RIFFLE_OS_SIGNALS_HPP
#define RIFFLE_OS_SIGNALS_HPP

#include <csignal>

namespace riffle::os {

/// While it exists, the calling thread gets no signals but faults, and a thread that it starts never will.
class without_signals {
 public:
  without_signals() noexcept;
  ~without_signals();
  without_signals(const without_signals&) = delete;
  without_signals& operator=(const without_signals&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace riffle::os

#endif
