/// The table of formats that riffle decodes. To add a format, add a row.
#pragma once

#include <riffle/decoders.hpp>
#include <riffle/options.hpp>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "decode/codec.hpp"
#include "decode/compressed_input.hpp"

namespace riffle::inline v0::decode {

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
