/// The one interface that every method implements: hand out the next block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "method/open_file.hpp"

namespace riffle::inline v0 {

/// Bytes before every block of a method that may be overwritten: the carry is copied there, which makes a
/// record that was cut in two contiguous at the price of one small copy.
inline constexpr std::size_t headroom = 64 * 1024;

/// A method at work on one open input.
class active_method {
 public:
  active_method() = default;
  active_method(const active_method&) = delete;
  active_method& operator=(const active_method&) = delete;
  virtual ~active_method() = default;

  /// The next block, with `room()` writable bytes before it; empty at the end; throws `riffle::error`.
  /// Valid until the next call.
  virtual std::span<char> next() = 0;
  /// Writable bytes before the block handed out last: `headroom`, but for a mapping in the middle of a page.
  virtual std::size_t room() const noexcept { return headroom; }
  /// Where the next block will lie, if it follows the last one in memory, which stays as it is; else null.
  virtual const char* following() const noexcept { return nullptr; }
  /// Throws if bytes from the offset `trusted` on, which were handed out, are wrong. Those before it are not
  /// used again.
  virtual void check(std::uint64_t /*trusted*/) const {}
  /// Blocks may be larger from now on: each is checked before what was made of it counts.
  virtual void allow_larger_blocks() noexcept {}
  /// Returns whether the byte before the end was still there when `next` met the end: then the file was not
  /// cut while it was read.
  virtual bool met_end_behind_data() const noexcept { return false; }
  /// Returns how much was used of a compressed input; `std::nullopt` if that is not known, or if it is none.
  virtual std::optional<std::uint64_t> compressed_offset() const noexcept { return std::nullopt; }
  /// Continues at `offset`. Called for seekable inputs only.
  virtual void seek(std::uint64_t offset) = 0;
};

/// Opens a method on an input, which must outlive it. The block size in `options` is final. A queue depth of
/// 0 is the method's to find.
using open_method = std::unique_ptr<active_method>(const open_file& input, const method_options& options);

open_method open_read;
open_method open_stdio;
open_method open_iostream;
open_method open_mmap;
open_method open_uring;
open_method open_direct;
open_method open_memory;
/// An object of the user's, by the method `read`.
open_method open_object;

/// The same for the method named in `options`; `automatic` is that of memory.
open_method open_by_name;

/// The description of a method. `automatic` has one that says no to everything.
const method_info& info_of(method id) noexcept;

}  // namespace riffle::inline v0
