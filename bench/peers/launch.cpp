/// Runs one command and reports its wall time and peak memory. A launcher of its own, small and
/// linked statically, because a child's peak never shows below that of the process that starts it.
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

int fail(const char* what, int error) {
  std::fprintf(stderr, "launch: %s: %s\n", what, std::strerror(error));
  return 2;
}

/// Starts `command` with its standard output in `output`; returns 0 or an errno.
int start(char** command, const char* output, pid_t& child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  const int error = posix_spawnp(&child, command[0], &actions, nullptr, command, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

}  // namespace

/// launch OUTPUT PAUSE COMMAND...: idles for PAUSE milliseconds, runs the command, and prints "NANOSECONDS
/// PEAK_KIB STATUS"; the command's answer is in the file OUTPUT.
int main(int count, char** arguments) {
  if (count < 4) {
    std::fputs("usage: launch OUTPUT PAUSE COMMAND...\n", stderr);
    return 2;
  }
  usleep(static_cast<useconds_t>(1000 * std::atof(arguments[2])));
  const auto before = std::chrono::steady_clock::now();
  pid_t child = 0;
  if (const int error = start(arguments + 3, arguments[1], child); error != 0)
    return fail(arguments[3], error);
  int status = 0;
  rusage usage{};
  while (wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR) return fail("wait4", errno);
  }
  const std::chrono::nanoseconds elapsed = std::chrono::steady_clock::now() - before;
  std::printf("%lld %ld %d\n", static_cast<long long>(elapsed.count()), usage.ru_maxrss, status);
}
