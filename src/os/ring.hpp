/// `io_uring` as riffle uses it: reads put in, completions taken out.
#ifndef RIFFLE_OS_RING_HPP
#define RIFFLE_OS_RING_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace riffle::os {

/// A queue of reads in the kernel.
class ring {
 public:
  /// Why there can be no ring on this machine, with the remedy; nothing when there can. Probed once.
  static const std::optional<std::string>& unavailable();

  /// Throws `riffle::error` naming `name` when the kernel refuses.
  ring(unsigned depth, std::string_view name);
  ring(ring&&) noexcept;
  ring& operator=(ring&&) noexcept;
  ~ring();

  /// Starts one read. `offset` without a value: at the
  /// descriptor's position. `into` must stay until its completion.
  void start(int descriptor, std::span<char> into, std::optional<std::uint64_t> offset, std::size_t tag);

  struct completion {
    std::size_t tag;
    int result;  // bytes, or a negative errno
  };
  /// Waits for one read that was started to end.
  completion wait();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace riffle::os

#endif
