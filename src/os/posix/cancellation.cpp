/// Disables the cancellation of a POSIX thread for a while.
#include "os/cancellation.hpp"

#include <pthread.h>

namespace riffle::os {

uncancelled::uncancelled() noexcept {
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before_);
}

uncancelled::~uncancelled() {
  pthread_setcancelstate(before_, nullptr);
}

void end_if_cancelled() {
  pthread_testcancel();
}

}  // namespace riffle::os
