/// Every input, read by any method, becomes one thing: a source of blocks.
#ifndef RIFFLE_SOURCE_HPP
#define RIFFLE_SOURCE_HPP

#include <riffle/export.hpp>
#include <riffle/input.hpp>
#include <riffle/options.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace riffle::inline v0 {

namespace detail {
class reading;
}

/// Contiguous bytes of an input and where they stand in it. A block is an input too, as bytes in memory.
struct block {
  std::string_view bytes;
  std::uint64_t offset = 0;  ///< of the first byte, from the start of the input

  const char* data() const noexcept { return bytes.data(); }
  std::size_t size() const noexcept { return bytes.size(); }
  bool empty() const noexcept { return bytes.empty(); }
  auto begin() const noexcept { return bytes.begin(); }
  auto end() const noexcept { return bytes.end(); }
  operator std::string_view() const noexcept { return bytes; }
  operator input() const { return memory(bytes); }
};

/// An open input being read by a method, block by block. All records are read through it.
///
/// Move-only, for one thread at a time. Every function has three outcomes: a block; the end; a failure,
/// thrown as `riffle::error` with the offset. What was handed out before a failure stays correct; after one,
/// `next` throws the same error again.
class RIFFLE_API source {
 public:
  /// Opens the input. Throws `riffle::error` when it cannot be opened, is a directory, or cannot be read by
  /// the method named in `options` (`errc::method_unavailable`, with the reason).
  explicit source(const input& from, const read_options& options = {});
  source(source&& other) noexcept;
  source& operator=(source&& other) noexcept;
  ~source();

  /// Moves on and returns the next block, preceded by the last `keep` bytes of the block before (the carry),
  /// so that a record cut in two is whole again. At the end the block holds just the `keep` bytes; with none
  /// kept, it is empty. Valid until the next call of `next` or `seek`, or the end of the source. A `keep`
  /// above the size of the block before is `errc::invalid_argument`.
  block next(std::size_t keep = 0) RIFFLE_LIFETIMEBOUND;

  /// Throws if the block handed out last can no longer be trusted: its file shrank, or its disk failed, under
  /// a mapping. `next` does it too; call it before a result from the last block counts.
  void check() const;

  /// Whether `seek` works: regular files, block devices and memory.
  bool seekable() const noexcept;
  /// Goes to `offset` bytes from the start of the input; beyond the end, `next` reports the end.
  /// Throws `riffle::error` where the input has no positions.
  void seek(std::uint64_t offset);

  /// The method at work; never `automatic`. Memory is reported as `automatic`: no method is needed.
  riffle::method method() const noexcept;
  /// Why this method: a sentence.
  const std::string& reason() const noexcept RIFFLE_LIFETIMEBOUND;
  /// Where in the input reading started, in bytes: where a descriptor stood.
  std::uint64_t start() const noexcept;
  /// What the input is called in messages.
  const std::string& name() const noexcept RIFFLE_LIFETIMEBOUND;
  /// Size in bytes as far as the system tells: a hint, 0 where unknown.
  std::uint64_t size_hint() const noexcept;

 private:
  friend class detail::reading;
  std::unique_ptr<detail::reading> reading_;
};

}  // namespace riffle::inline v0

#endif
