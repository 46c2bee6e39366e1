/// Offers an input as a source of blocks, whatever its kind and the method.
#pragma once

#include <riffle/export.hpp>
#include <riffle/input.hpp>
#include <riffle/options.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace riffle::inline v0 {

namespace detail {
class source_state;
}

/// Holds contiguous bytes of an input and their offset. It borrows the bytes. It converts
/// to an input: memory.
struct block {
  std::string_view bytes;    ///< valid as long as their owner says: see `source::next`
  std::uint64_t offset = 0;  ///< of the first byte, in bytes from the start of the input

  /// These make it a contiguous range of its bytes.
  const char* data() const noexcept { return bytes.data(); }
  std::size_t size() const noexcept { return bytes.size(); }
  bool empty() const noexcept { return bytes.empty(); }
  auto begin() const noexcept { return bytes.begin(); }
  auto end() const noexcept { return bytes.end(); }
  /// Converts it to its bytes.
  operator std::string_view() const noexcept { return bytes; }
  /// Converts it to an input that borrows its bytes.
  operator input() const { return memory(bytes); }
};

/// Opens an input and reads it block by block. All ranges and readers use it.
///
/// Each call of `next` gives a block, or the end, or throws `riffle::error` with the offset. The bytes before
/// that offset were correct. After reading has failed, `next` throws the same error again. If a mapped page
/// is lost while you hold its block, its bytes read as zeros, and the next call throws.
///
/// Lifetime: it can be moved, not copied; moving keeps the block valid. A
/// source that was moved from has no name and no bytes, and `next`, `check` and `seek` throw
/// `errc::invalid_argument`. Thread safety: one thread at a time.
class RIFFLE_API source {
 public:
  /// Opens the input. Throws `riffle::error`: `errc::method_unavailable` if the method named in `options`
  /// cannot read it; `errc::invalid_argument` if `options` make no sense; a code of the system if it cannot
  /// be opened or is a directory.
  explicit source(const input& from, const read_options& options = {});
  source(source&& other) noexcept;
  source& operator=(source&& other) noexcept;
  ~source();

  /// Returns the next block, with the last `keep` bytes of the block before in front of it (the carry), so
  /// that a record that was cut in two is whole. At the end the block holds the `keep` bytes only, so it is
  /// empty if `keep` is 0.
  ///
  /// Throws `riffle::error`: `errc::truncated` if the file shrank; `errc::invalid_argument` if `keep` exceeds
  /// the size of the block before; a code of the system if reading fails or there is no memory for the carry.
  /// Lifetime: the block stays valid until the next call of `next` or `seek`, or the end of the source.
  block next(std::size_t keep = 0) RIFFLE_LIFETIMEBOUND;

  /// Throws `riffle::error` if the block handed out last cannot be trusted: its file shrank or its disk
  /// failed while it was mapped. `next` checks too, so call this if you stop before the end.
  void check() const;

  /// Checks the block handed out last, as `check` does, if you do not use it again: `next` and `seek` then do
  /// not check it a second time. Call it before what you made of the block counts. The next blocks of a
  /// mapped file may be larger: whole windows, as riffle need not check them in parts.
  void finish_block();

  /// Returns whether `seek` works: it does for regular files, block devices and memory.
  bool seekable() const noexcept;
  /// Lets `next` continue at `offset`, in bytes from the start of the input. After the end, `next` reports
  /// the end. Throws `riffle::error`: `std::errc::invalid_seek` if the input is not `seekable`; the error of
  /// an earlier failure; what `check` throws.
  void seek(std::uint64_t offset);

  /// Returns the method in use. It is `automatic` for memory only, which needs no method.
  riffle::method method() const noexcept;
  /// Returns why riffle uses this method, as text. Valid as long as the source; `next`
  /// changes it if riffle changes the method.
  const std::string& reason() const noexcept RIFFLE_LIFETIMEBOUND;
  /// Returns the kind of the input. With `size_hint` it tells what a regular file holds.
  input_kind kind() const noexcept;
  /// Returns the descriptor that is read, to ask the system about it or to copy from it; -1 if there is none:
  /// of memory, a `FILE*` or a stream. Valid as long as the source, which closes it if you passed a path.
  int descriptor() const noexcept;
  /// Returns the offset at which reading started, in bytes: the position of a descriptor, `FILE*`
  /// or stream, the first record of a split, else 0.
  std::uint64_t start() const noexcept;
  /// Returns the name of the input in messages. Valid as long as the source.
  const std::string& name() const noexcept RIFFLE_LIFETIMEBOUND;
  /// Returns the size of the input in bytes when it was opened, as the system reported it; 0 if it is
  /// unknown; of a split, the end of its last record. It is a hint: files grow, and files of /proc report 0.
  std::uint64_t size_hint() const noexcept;
  /// Returns how much of the input was used for the blocks handed out so far, in bytes from its start as it
  /// is stored: the compressed bytes if it is decoded, else the end of the block handed out last. So one
  /// progress bar serves both. It never decreases, but by `seek`; after the last block it is the
  /// `compressed_size`. liblzma with several threads takes up to a few blocks ahead.
  std::uint64_t compressed_offset() const noexcept;
  /// Returns the size of the input in bytes as it is stored, never below `compressed_offset`; of a split, the
  /// end of it; `std::nullopt` if it is unknown: of a pipe, a stream, or a file that reports 0.
  std::optional<std::uint64_t> compressed_size() const noexcept;

 private:
  friend class detail::source_state;
  explicit source(detail::source_state* state) noexcept;
  detail::source_state* state_;  // owned; null after a move
};

}  // namespace riffle::inline v0

template <>
inline constexpr bool std::ranges::enable_borrowed_range<riffle::block> = true;
