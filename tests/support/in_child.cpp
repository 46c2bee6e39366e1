/// A fork whose answer comes back through a pipe; a seccomp filter of one call.
#include "tests/support/in_child.hpp"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>

#include "tests/support/support.hpp"

namespace riffle::test {

std::string in_child(const std::function<std::string()>& f) {
  int ends[2] = {-1, -1};
  if (::pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string answer = f();
    write_slowly(ends[1], answer, answer.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string answer;
  char piece[1024];
  for (ssize_t count = 1; count > 0; answer.append(piece, static_cast<std::size_t>(count))) {
    count = ::read(ends[0], piece, sizeof piece);
    if (count < 0) break;
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return status == 0 ? answer : "died with status " + std::to_string(status);
}

bool refuse_rings(int code) {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_io_uring_setup, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (static_cast<unsigned>(code) & SECCOMP_RET_DATA)),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog filter{static_cast<unsigned short>(std::size(program)), program};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

}  // namespace riffle::test
