/// What threads need, by POSIX threads, a pipe and poll(2).
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <cstring>
#include <initializer_list>

#include "os/facts.hpp"
#include "os/posix/calls.hpp"
#include "os/threads.hpp"

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

std::uint64_t process() noexcept {
  return static_cast<std::uint64_t>(getpid());
}

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

void* thread_slot::get() const noexcept {
  const std::uintptr_t kept = key_;
  return kept != 0 ? pthread_getspecific(static_cast<pthread_key_t>(kept - 1)) : nullptr;
}

bool thread_slot::set(void* pointer) noexcept {
  std::uintptr_t kept = key_;
  if (kept == 0) {
    stay_loaded();  // for `free_`
    pthread_key_t fresh{};
    if (pthread_key_create(&fresh, free_) != 0) return false;
    if (key_.compare_exchange_strong(kept, static_cast<std::uintptr_t>(fresh) + 1)) {
      kept = key_;
    } else {
      pthread_key_delete(fresh);  // another thread was faster
    }
  }
  return pthread_setspecific(static_cast<pthread_key_t>(kept - 1), pointer) == 0;
}

}  // namespace riffle::os
