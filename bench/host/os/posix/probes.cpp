/// `os::probes` by system calls that every POSIX system has.
#include "bench/host/os/probes.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "bench/host/os/descriptor.hpp"
#include "os/calls.hpp"
#include "os/mapping.hpp"
#include "os/posix/calls.hpp"

namespace riffle::os {

namespace {

constexpr std::size_t piece = 256 << 10;

#ifdef RUSAGE_THREAD
constexpr int counted = RUSAGE_THREAD;
#else
constexpr int counted = RUSAGE_SELF;  // macOS counts for the process alone
#endif

std::uint64_t faults_so_far() {
  rusage used{};
  getrusage(counted, &used);
  return static_cast<std::uint64_t>(used.ru_minflt);
}

// Ends early when the reader has gone. Nothing but system calls: it runs in a forked child.
void write_all(int descriptor, const char* buffer, std::uint64_t bytes) noexcept {
  while (bytes > 0) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(piece, bytes));
    const ssize_t count = ::write(descriptor, buffer, size);
    if (count < 0 && errno != EINTR) return;
    if (count > 0) bytes -= static_cast<std::uint64_t>(count);
  }
}

std::uint64_t read_all(const file& from) {
  const auto buffer = std::make_unique<char[]>(piece);
  std::uint64_t total = 0;
  while (const std::size_t count = from.read({buffer.get(), piece}, total)) total += count;
  return total;
}

}  // namespace

std::uint64_t faults_of_walk(const file& opened, std::size_t length) {
  const mapping pages(opened, 0, length, protection::read, {.populate = false}, true);
  const std::span<char> bytes = pages.bytes();
  const std::uint64_t before = faults_so_far();
  const volatile char* const at = bytes.data();
  for (std::size_t offset = 0; offset < length; offset += page_size()) static_cast<void>(at[offset]);
  return faults_so_far() - before;
}

void call_system(unsigned times) noexcept {
  for (unsigned i = 0; i < times; ++i) static_cast<void>(getppid());  // which no C library remembers
}

// A process and not a thread: once a program has had a second thread, glibc takes a lock for every getc, and
// the contenders that are measured later would be three times as slow.
bool send_through_pipe(std::uint64_t bytes) {
  int ends[2] = {-1, -1};
  if (open_pipe(ends) != 0) return false;
  const descriptor reading(ends[0]);
  descriptor writing(ends[1]);
  widen_pipe(reading.number());
  const auto buffer = std::make_unique<char[]>(piece);
  const pid_t child = fork();
  if (child < 0) return false;
  if (child == 0) {
    write_all(writing.number(), buffer.get(), bytes);
    _exit(0);
  }
  writing.close();
  const std::uint64_t received = read_all(file::borrow(reading.number(), "a pipe"));
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return received == bytes;
}

}  // namespace riffle::os
