/// Copies from one descriptor to another inside the OS kernel, so that no byte passes through this process.
#pragma once

#include <cstddef>
#include <cstdint>

namespace riffle::os {

/// Copies by splice(2) if one of the two is a pipe, by copy_file_range(2) between regular files, else by
/// sendfile(2).
///
/// It copies as far as the OS kernel does, which may be nothing. Whoever reads on from `offset` learns why it
/// ended: the input ended, reading or writing fails, or the files need read(2) and write(2).
class kernel_copy {
 public:
  /// Reads from `offset` on, or what comes next of a pipe. Writes at the position of `to`.
  kernel_copy(int from, int to, std::uint64_t offset) noexcept;

  /// Copies some bytes, at most `most` and 16 MiB. Returns their number, 0 if the OS kernel copies no more.
  std::size_t next(std::uint64_t most = ~std::uint64_t{0}) noexcept;
  /// Returns the offset after the bytes that were copied.
  std::uint64_t offset() const noexcept { return offset_; }

 private:
  enum class call : std::uint8_t { none, splice, copy_file_range, sendfile };

  long copy_once(std::size_t most) noexcept;

  int from_;
  int to_;
  std::uint64_t offset_;
  bool seekable_ = false;
  call call_ = call::none;
};

}  // namespace riffle::os
