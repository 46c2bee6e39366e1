/// Every failure of these calls ends the copying without a message: reading and writing meet it again.
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "cli/os/system.hpp"
#include "os/facts.hpp"
#include "os/posix/calls.hpp"

namespace riffle::os {

namespace {

// At most as much in one call, so that a caller can show its progress and a signal ends it soon.
constexpr std::size_t longest_step = std::size_t{16} << 20U;

// Below this size read(2) and write(2) are as fast. The files of /proc, which report no size, have to be
// read.
constexpr std::uint64_t least_size = std::uint64_t{128} << 10U;

}  // namespace

kernel_copy::kernel_copy(int from, int to, std::uint64_t offset) noexcept
    : from_(from), to_(to), offset_(offset) {
  struct stat in{};
  struct stat out{};
  if (fstat(from_, &in) != 0 || fstat(to_, &out) != 0) return;
  // Within one file, pages that still wait to be written would be overwritten.
  if (in.st_dev == out.st_dev && in.st_ino == out.st_ino) return;
  const bool regular = S_ISREG(in.st_mode);
  if (regular && static_cast<std::uint64_t>(in.st_size) < offset + least_size) return;
  seekable_ = regular || S_ISBLK(in.st_mode);
  if (!seekable_ && !S_ISFIFO(in.st_mode)) return;
  const bool pipe = !seekable_ || S_ISFIFO(out.st_mode);
  call_ = pipe ? call::splice : regular && S_ISREG(out.st_mode) ? call::copy_file_range : call::sendfile;
  if (S_ISFIFO(out.st_mode)) widen_pipe(to_);
}

std::size_t kernel_copy::next(std::uint64_t most) noexcept {
  const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(most, longest_step));
  while (call_ != call::none) {
    const long count = uninterrupted([&] { return copy_once(step); });
    if (count > 0) {
      offset_ += static_cast<std::uint64_t>(count);
      return static_cast<std::size_t>(count);
    }
    // sendfile(2) also copies between file systems.
    call_ = call_ == call::copy_file_range ? call::sendfile : call::none;
  }
  return 0;
}

// The offset is of the input; the descriptor of the output has the position.
long kernel_copy::copy_once(std::size_t most) noexcept {
  auto offset = static_cast<off_t>(offset_);
  off_t* const place = seekable_ ? &offset : nullptr;
  if (call_ == call::splice) return ::splice(from_, place, to_, nullptr, most, 0);
  if (call_ == call::sendfile) return ::sendfile(to_, from_, place, most);
  return ::copy_file_range(from_, place, to_, nullptr, most, 0);
}

}  // namespace riffle::os
