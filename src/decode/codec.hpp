/// One decompressor behind one interface, whatever its library.
#pragma once

#include <riffle/error.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace riffle::inline v0::decode {

/// Says that a codec cannot go on. Who knows the offsets makes a `riffle::error` of it; `what()` is its
/// detail. `place` is where, if the codec knows it, from the first byte that it was given last.
class damage : public std::runtime_error {
 public:
  damage(errc code, const std::string& detail, std::ptrdiff_t place = 0, riffle::remedy helps = {})
      : std::runtime_error(detail), code_(code), place_(place), helps_(helps) {}
  errc code() const noexcept { return code_; }
  std::ptrdiff_t place() const noexcept { return place_; }
  riffle::remedy remedy() const noexcept { return helps_; }

 private:
  errc code_;
  std::ptrdiff_t place_;
  riffle::remedy helps_;
};

/// Says that the library of a codec got no threads, or no memory for them. With one it may decode.
class no_threads : public std::bad_alloc {};

/// Says how far a codec came.
struct step {
  std::size_t read = 0;
  std::size_t written = 0;
  bool ended = false;  ///< the member ends here, and its checksum is right
};

/// Decodes the members of an input, one after the other. A member is what the format's own tool makes of one
/// file: a gzip member, a frame, a stream.
class codec {
 public:
  codec() = default;
  codec(const codec&) = delete;
  codec& operator=(const codec&) = delete;
  virtual ~codec() = default;

  /// Starts a member, wherever the last one was left.
  virtual void start() = 0;
  /// Decodes `from` into `to`, until one of them is used up or the member ends. `from` may be empty: then it
  /// writes what it still holds. Throws `damage`, std::bad_alloc and, if it has several threads,
  /// `no_threads`.
  virtual step decode(std::string_view from, std::span<char> to) = 0;
};

/// Makes a codec. `threads` is how many it may use, if its library has threads of its own.
using open_codec = std::unique_ptr<codec>(unsigned threads);

open_codec open_igzip;
open_codec open_inflate;
open_codec open_zlib;
open_codec open_zstd;
open_codec open_xz;
open_codec open_bzip2;
open_codec open_lz4;

/// What a codec says of bytes that its library refuses without a reason.
inline constexpr const char* damaged = "get the file again from where it came";

/// Throws for a member that the input ends in.
[[noreturn]] inline void fail_cut(std::string_view format) {
  throw damage(errc::unexpected_end,
               "the " + std::string(format) + " data is cut; get it again from where it came");
}

/// Returns how many of these bytes a library takes at a time that counts them in a `Count`.
template <class Count>
Count fitting(std::size_t size) noexcept {
  return static_cast<Count>(std::min<std::size_t>(size, std::numeric_limits<Count>::max()));
}

}  // namespace riffle::inline v0::decode
