/// Runs a command, prints the most memory it had, in KiB, and ends with its status. A program of its own, for
/// a process never shows less than the one it was forked from.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

int main(int count, char** arguments) {
  if (count < 2) return 2;
  const pid_t child = fork();
  if (child == 0) {
    if (std::freopen("/dev/null", "w", stdout) == nullptr) return 126;
    execv(arguments[1], arguments + 1);
    return 127;
  }
  int status = 0;
  rusage used{};
  if (wait4(child, &status, 0, &used) != child || !WIFEXITED(status)) return 125;
  std::printf("%ld\n", used.ru_maxrss);
  return WEXITSTATUS(status);
}
