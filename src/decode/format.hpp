/// The table of formats that riffle decodes, with the interface of a codec and the compressed bytes that it
/// takes. To add a format, add a row.
#pragma once

#include <riffle/error.hpp>
#include <riffle/methods.hpp>
#include <riffle/options.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "method/active_method.hpp"

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

/// The bytes of a method, or of a part in memory, from the first one that was not used yet.
class compressed_input {
 public:
  /// Reads `below`, which stands at `offset` and outlives this.
  compressed_input(active_method& below, std::uint64_t offset) : below_(&below), offset_(offset) {}
  /// The bytes at `offset` of an input, which outlive this.
  compressed_input(std::string_view bytes, std::uint64_t offset) : view_(bytes), offset_(offset) {}

  /// The bytes that can be had without reading.
  std::string_view at_hand() const noexcept { return view_; }
  /// Where they begin.
  std::uint64_t offset() const noexcept { return offset_; }
  /// Reads what follows, if nothing is at hand. Returns false at the end. Throws `riffle::error`.
  bool fetch();
  /// Returns at least `size` bytes; fewer only if the input ends before. Throws `riffle::error`. After an
  /// exception of the input it can be called again: no byte is lost.
  std::string_view gather(std::size_t size);
  /// Uses the first `size` bytes at hand.
  void skip(std::size_t size) noexcept;
  /// The same for bytes that may not be at hand, which it takes off `size`. Returns false if the input ends
  /// before. Throws as `gather`.
  bool discard(std::uint64_t& size);
  /// Throws `riffle::error` if the bytes that were used cannot be trusted. Call it before what was made of
  /// them is handed out.
  void check();

 private:
  std::string_view read();

  active_method* below_ = nullptr;
  std::string_view view_;  // of the block below, or of `gathered_`
  std::uint64_t offset_;
  std::uint64_t checked_ = 0;
  std::vector<char> gathered_;
};

/// The bytes that tell how a member begins, at most.
inline constexpr std::size_t longest_magic = 64;

/// Returns the byte at `place`, or 0 if there is none.
inline unsigned byte_at(std::string_view bytes, std::size_t place) {
  return place < bytes.size() ? static_cast<unsigned char>(bytes[place]) : 0;
}

/// Where a cut left off: between members, or inside one that has several parts.
struct cut_state {
  std::uint64_t stop = std::numeric_limits<std::uint64_t>::max();  // no part begins here or after it
  bool in_order = false;                                           // nothing is cut
  bool small_parts = false;                                        // as small as can be decoded alone
  bool inside = false;
  unsigned bits = 0;           // that were used of the first byte at hand
  std::uint32_t checksum = 0;  // of the parts before
  char level = '\0';           // of bzip2; of xz the kind of checksum, as a digit or what follows it in ASCII

  /// Returns the state between members.
  cut_state outside() const noexcept {
    return {.stop = stop, .in_order = in_order, .small_parts = small_parts, .level = level};
  }
};

/// Cuts bytes off the input that can be decoded alone, and puts them into `part` as whole members. Returns
/// false if the input does not begin with such bytes, or if the member ended; in the first case it uses
/// nothing. Throws `damage`, and the errors of the input.
using cut_function = bool(compressed_input& from, std::vector<char>& part, cut_state& state);

struct format {
  decoder_info info;
  std::string_view magic = {};  ///< the first bytes of each member; empty: they are no proof
  std::size_t least = 0;        ///< the bytes that tell; 0: those of the magic
  /// Whether a member can begin so, by its first `least` bytes or fewer; null: its magic tells.
  bool (*also)(std::string_view bytes) = nullptr;
  bool skips = false;           ///< frames that hold no data may stand between its members
  unsigned padding = 1;         ///< the zeros after a member are a multiple of this
  bool zeros_at_end = true;     ///< they may be the last bytes
  open_codec* open = nullptr;   ///< null: the library is not there
  cut_function* cut = nullptr;  ///< null: the format has no parts
  bool cut_guesses = false;     ///< what was cut may be no part after all
  bool own_threads = false;     ///< its library has threads, so that only splits need parts
  /// Returns the state at a part that is no member, from the first bytes of the file; null: every part is
  /// one.
  cut_state (*enter)(std::string_view first_bytes) = nullptr;
};

/// Compressed bytes that can be decoded alone, and where they begin and end in the input. They may be wrapped
/// in others, so that they are a member.
struct cut_part {
  std::vector<char> bytes;
  std::uint64_t offset = 0;
  std::uint64_t end = 0;
};

/// Cuts a part off the input, as `cut_function` does. Returns false if the format has no parts.
bool cut(const format& of, compressed_input& from, cut_part& part, cut_state& state);
/// Goes to the next member, and cuts a part off it; `part` has no bytes if none can be cut. Returns false at
/// the end of the input, or at `state.stop`. `first`: no member was met yet. Throws `damage`.
bool to_part(const format& of, compressed_input& from, cut_part& part, cut_state& state, bool first = false);

/// Returns whether a member of the format begins so, or a frame to be skipped.
bool starts(const format& of, std::string_view bytes);
/// Returns whether these are all bytes of an input, or of what is left of it, and a member is cut there
/// before its first bytes tell the format.
bool is_cut_start(const format& of, std::string_view bytes);
/// Returns the format of which an input begins so and is cut there, and is no text; null: none.
const format* cut_start(std::string_view bytes) noexcept;
/// The row of a format. `decoding::none` and `automatic` have none.
const format* find_format(decoding id) noexcept;
/// The row of the format whose first bytes these are; null if none is. What has no magic is not looked for.
const format* format_of(std::string_view bytes) noexcept;
/// The same, of an input of which it waits for no more bytes than tell. Throws `riffle::error`.
const format* format_of(compressed_input& from);
/// Returns what begins so and is compressed in a way that riffle does not decode, with what does; empty if
/// nothing known does.
std::string other_format(std::string_view bytes);

/// Says how far the way to a member was gone, so that it can be gone on after an exception of the input.
struct way_to_member {
  bool first = true;        // no member was met yet
  std::uint64_t frame = 0;  // bytes left of a frame to be skipped
  std::uint64_t zeros = 0;  // since the last member or frame
};

/// Skips what may stand between members: frames that a format says to skip, and zeros. Returns false at the
/// end of the input; throws `damage` if another thing follows, and what the input throws.
bool to_member(const format& of, compressed_input& from, way_to_member& way);

cut_function cut_bgzf;
/// Returns whether these are the first bytes of BGZF.
bool is_bgzf(std::string_view bytes);
/// The empty block with which BGZF ends.
extern const std::string_view bgzf_end;
cut_function cut_zstd;
cut_function cut_xz;
cut_function cut_bzip2;

/// Is `format::enter` of xz: parts are blocks of a stream.
cut_state enter_xz(std::string_view first_bytes);

}  // namespace riffle::inline v0::decode
