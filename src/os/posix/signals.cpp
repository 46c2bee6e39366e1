/// `os::without_signals` by the mask of the thread.
#include "os/signals.hpp"

#include <pthread.h>
#include <signal.h>

#include <cstring>
#include <initializer_list>

namespace riffle::os {

without_signals::without_signals() noexcept {
  sigset_t all{};
  sigfillset(&all);
  for (const int fault : {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP, SIGSYS}) sigdelset(&all, fault);
  sigset_t before{};
  pthread_sigmask(SIG_BLOCK, &all, &before);
  static_assert(sizeof before <= sizeof before_);
  std::memcpy(before_.data(), &before, sizeof before);
}

without_signals::~without_signals() {
  sigset_t before{};
  std::memcpy(&before, before_.data(), sizeof before);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace riffle::os
