/// What execve(2) takes, the pipes to what they start, and what that used and wrote.
#pragma once

#include <fcntl.h>
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

/// The variables of this process, and before them `own`, in place of those of the same names.
std::vector<std::string> environment_with(const std::vector<std::string>& own);

/// How a process ended, if not well: "exit status 2: " and what it wrote to standard error. Empty: well.
std::string failure_in_words(int status, std::string errors);

/// Appends what comes from a pipe. The start of it says most, so the rest is dropped. Returns false at its
/// end.
bool keep_errors(int reading, std::string& errors);

inline std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

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

/// A pipe or another pair of descriptors, or the errno for which there is none. Each end is closed with its
/// owner, or earlier.
struct pipe_ends {
  int reading = -1;
  int writing = -1;
  int failure = 0;

  explicit pipe_ends(int (*make)(int (&)[2]) noexcept = open_pipe) {
    int ends[2];
    failure = make(ends) == 0 ? 0 : errno;
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
