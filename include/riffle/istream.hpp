/// Offers an input as a `std::istream`, for programs and libraries that read one.
#pragma once

#include <riffle/error.hpp>
#include <riffle/export.hpp>
#include <riffle/source.hpp>

#include <istream>
#include <memory>

namespace riffle::inline v0 {

/// Reads everything that riffle reads as a `std::istream`: `riffle::istream in("log.gz", {.decode =
/// riffle::decoding::automatic})`. It hands out the blocks of riffle without a copy.
///
/// A failure of reading sets `badbit`. The constructor calls `exceptions(badbit)`, so that the call which
/// reads then throws the `riffle::error`. After `exceptions(std::ios::goodbit)` it does not throw, and
/// `error` has the failure. What was read before it was delivered: `std::getline` leaves the start of the
/// line in its string.
///
/// `tellg` and `seekg` work where the source is `seekable`, and fail elsewhere, as those of `std::ifstream`
/// do for a pipe. Offsets are those of the input, in bytes. `seekg` from the end counts from the size that
/// the input had when it was opened. `unget` goes back as far as you like there, and by one character
/// elsewhere. `putback` of another character than the one that was read works once, until it is read.
///
/// Thread safety: one thread at a time.
class RIFFLE_API istream : public std::istream {
 public:
  /// Opens the input. Throws `riffle::error` if it cannot be opened, or if the method named in `reading`
  /// cannot read it.
  explicit istream(const input& from, const read_options& reading = {});
  /// Reads a source from which no block was taken.
  explicit istream(source from);
  /// The stream that was moved from has no buffer: each read of it fails.
  istream(istream&& other) noexcept;
  istream& operator=(istream&& other) noexcept;
  ~istream() override;

  /// Returns the failure of reading, valid as long as the stream; null if there was none.
  const riffle::error* error() const noexcept RIFFLE_LIFETIMEBOUND;
  /// Returns the source, valid as long as the stream: ask it for the method in use, or call its `check`
  /// before you trust the bytes of the last block.
  const source& from() const noexcept RIFFLE_LIFETIMEBOUND;

 private:
  class buffer;
  std::unique_ptr<buffer> buffer_;
};

}  // namespace riffle::inline v0
