/// What posix_spawn(3) takes, the pipes to what it starts, and what that used.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>
#include <vector>

#include "bench/data/sample.hpp"
#include "os/posix/calls.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): not every system declares it

namespace riffle::os {

/// Adds the times and the page faults that the OS counted.
void add_usage(bench::usage& to, const rusage& used);

inline std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

class spawn_actions {
 public:
  spawn_actions() { posix_spawn_file_actions_init(&actions_); }
  spawn_actions(const spawn_actions&) = delete;
  spawn_actions& operator=(const spawn_actions&) = delete;
  ~spawn_actions() { posix_spawn_file_actions_destroy(&actions_); }
  posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

inline void close_end(int& descriptor) {
  if (descriptor >= 0) close(std::exchange(descriptor, -1));
}

/// The descriptor, or another one if it stands in place of a closed standard input or output, which a program
/// that is started gets anew.
inline int above_standard(int descriptor) {
  if (descriptor > STDERR_FILENO) return descriptor;
  const int above = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  close(descriptor);
  return above;
}

/// A pipe, or the errno for which there is none. Each end is closed with its owner, or earlier.
struct pipe_ends {
  int reading = -1;
  int writing = -1;
  int failure = 0;

  pipe_ends() {
    int ends[2];
    failure = open_pipe(ends) == 0 ? 0 : errno;
    if (failure == 0) reading = above_standard(ends[0]), writing = above_standard(ends[1]);
  }
  pipe_ends(const pipe_ends&) = delete;
  pipe_ends& operator=(const pipe_ends&) = delete;
  ~pipe_ends() {
    close_end(reading);
    close_end(writing);
  }
};

}  // namespace riffle::os
