/// Runs something in the child of a fork, with all that the parent has open.
#ifndef RIFFLE_TESTS_SUPPORT_FORKED_HPP
#define RIFFLE_TESTS_SUPPORT_FORKED_HPP

#include <sys/wait.h>
#include <unistd.h>

namespace riffle::test {

/// Runs `f` in a child, which then exits without any destructor. Returns how it ended.
template <class F>
int in_child(F f) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(10);
    f();
    ::_exit(0);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

}  // namespace riffle::test

#endif
