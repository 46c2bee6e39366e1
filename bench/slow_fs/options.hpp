/// Options of the slow file system: how long it takes, how much it serves at once, which fault it has and
/// where.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace riffle::slow_fs {

/// No offset, no number of reads, no size of one's own.
inline constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

struct options {
  std::string file;       // whose bytes are served
  std::string directory;  // where it is mounted
  std::uint64_t files = 1;

  std::uint64_t latency = 0;  // microseconds
  std::uint64_t served = 10;
  std::uint64_t bandwidth = none;  // bytes a second
  std::uint64_t direct_io = 0;
  std::uint64_t async_dio = 1;
  std::uint64_t no_seek = 0;
  std::uint64_t attached = 0;

  std::uint64_t eio_at = none;
  std::uint64_t estale_at = none;
  std::uint64_t eintr_at = none;
  std::uint64_t stall_at = none;
  std::uint64_t short_reads = none;
  std::uint64_t size = none;  // reported instead of the file's own
  std::uint64_t shrink_to = none;
  std::uint64_t shrink_after = 0;
};

/// Returns the help's text.
std::string help();

/// Returns the options of a command line. Throws text::usage_error.
options parse(int count, const char* const* arguments);

}  // namespace riffle::slow_fs
