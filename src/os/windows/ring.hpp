/// The two queues of Windows behind `os::ring`.
#ifndef RIFFLE_OS_WINDOWS_RING_HPP
#define RIFFLE_OS_WINDOWS_RING_HPP

#include "os/ring.hpp"

namespace riffle::os {

/// A queue of reads in the OS kernel.
struct ring::state {
  state() = default;
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  virtual ~state() = default;
  virtual void start(int descriptor, std::span<char> into, std::optional<std::uint64_t> offset,
                     std::size_t tag) = 0;
  virtual completion wait() = 0;

  /// A completion port, for handles that were opened with FILE_FLAG_OVERLAPPED.
  static std::unique_ptr<state> of_port(unsigned depth, std::string_view name);
  /// An IoRing, for every handle. Throws `errc::method_unavailable` if this Windows has none.
  static std::unique_ptr<state> of_io_ring(unsigned depth, std::string_view name);
};

}  // namespace riffle::os

#endif
