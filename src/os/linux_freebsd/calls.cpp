/// System calls that Linux and FreeBSD have, and macOS lacks.
#include "os/calls.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/posix/calls.hpp"

namespace riffle::os {

int reopen_direct(int descriptor) noexcept {
  return reopen(descriptor, O_RDONLY | O_CLOEXEC | O_DIRECT);
}

int open_pipe(int (&ends)[2]) noexcept {
  return pipe2(ends, O_CLOEXEC);
}

std::int64_t modified_at(const struct stat& facts) noexcept {
  return std::int64_t{facts.st_mtim.tv_sec} * 1'000'000'000 + std::int64_t{facts.st_mtim.tv_nsec};
}

std::uint64_t waits_of_thread() noexcept {
  rusage used{};
  getrusage(RUSAGE_THREAD, &used);
  return static_cast<std::uint64_t>(used.ru_nvcsw);
}

}  // namespace riffle::os
