/// `os::without_signals` by the mask of the thread.
#include "os/signals.hpp"

#include <pthread.h>
#include <signal.h>

#include <initializer_list>

namespace riffle::os {

without_signals::without_signals() noexcept {
  sigset_t all{};
  sigfillset(&all);
  for (const int fault : {SIGBUS, SIGSEGV, SIGFPE, SIGILL, SIGTRAP, SIGSYS}) sigdelset(&all, fault);
  pthread_sigmask(SIG_BLOCK, &all, &before_);
}

without_signals::~without_signals() {
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace riffle::os
