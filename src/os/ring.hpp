/// Starts reads on an io_uring, and waits for their completions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace riffle::os {

class file;

/// Owns a queue of reads in the OS kernel.
class ring {
 public:
  /// Returns why no ring can be made now; `std::nullopt` if one can. It is tried until it
  /// works once, as descriptors or memory may be lacking for a moment only.
  static std::optional<std::string> unavailable();

  /// Returns whether the system may repeat bytes after a short read, instead of reporting it, on the file
  /// system of `read`: on FUSE, if its server does not read asynchronously.
  static bool may_hide_short_reads(const file& read) noexcept;

  /// Makes a queue for `depth` reads. Throws `riffle::error`, which names `name`, if the OS kernel refuses.
  ring(unsigned depth, std::string_view name);
  ~ring();

  /// Starts one read, at the position of the descriptor if `offset` has no value. `into` must stay valid
  /// until the read completes.
  void start(int descriptor, std::span<char> into, std::optional<std::uint64_t> offset, std::size_t tag);

  struct completion {
    std::size_t tag;
    int result;  // bytes, or a negative errno
  };
  /// Waits until one of the started reads completes, and returns its result.
  completion wait();
  /// Returns whether `wait` has a result at once; false if the system does not tell.
  bool ready() const noexcept;
  /// Whether this process made the ring. One that a child inherited by fork is its parent's: it must not be
  /// used.
  bool ours() const noexcept;

  struct state;

 private:
  std::unique_ptr<state> state_;
};

}  // namespace riffle::os
