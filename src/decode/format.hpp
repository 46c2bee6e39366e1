/// The table of formats that riffle decodes. To add a format, add a row.
#ifndef RIFFLE_DECODE_FORMAT_HPP
#define RIFFLE_DECODE_FORMAT_HPP

#include <riffle/decoders.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "decode/codec.hpp"
#include "decode/compressed_input.hpp"

namespace riffle::inline v0::decode {

/// The bytes that tell how a member begins, at most.
inline constexpr std::size_t longest_magic = 64;

/// Where a cut left off: between members, or inside one that has several parts.
struct cut_state {
  bool inside = false;
  unsigned bits = 0;           // that were used of the first byte at hand
  std::uint32_t checksum = 0;  // of the parts before
  char level = '\0';
};

/// Cuts bytes off the input that can be decoded alone, and puts them into `part` as whole members. Returns
/// false if the input does not begin with such bytes, or if the member ended; in the first case it uses
/// nothing. Throws `damage`, and the errors of the input.
using cut_function = bool(compressed_input& from, std::vector<char>& part, cut_state& state);

struct format {
  decoder_info info;
  std::string_view magic = {};  ///< the first bytes of each member; empty: they are no proof
  /// What a member begins with beside its magic; null: nothing more is looked for.
  bool (*also)(std::string_view bytes) = nullptr;
  bool skips = false;               ///< frames that hold no data may stand between its members
  open_codec* open = nullptr;       ///< null: the library is not there
  cut_function* cut = nullptr;      ///< null: the format has no parts
  bool cut_guesses = false;         ///< what was cut may be no part after all
  std::string_view why_whole = {};  ///< why a file that `cut` does not cut cannot be split, with the remedy
};

/// Compressed bytes that can be decoded alone, and where they begin.
struct cut_part {
  std::vector<char> bytes;
  std::uint64_t offset = 0;
};

/// Cuts a part off the input, as `cut_function` does. Returns false if the format has no parts.
bool cut(const format& of, compressed_input& from, cut_part& part, cut_state& state);

/// The row of a format. `decoding::none` and `automatic` have none.
const format* find_format(decoding id) noexcept;
/// The row of the format whose first bytes these are; null if none is. What has no magic is not looked for.
const format* format_of(std::string_view bytes) noexcept;
/// The same, of an input of which it waits for no more bytes than tell. Throws `riffle::error`.
const format* format_of(compressed_input& from);

/// Skips what may stand between members: frames that a format says to skip, and zeros up to the end. Returns
/// false at the end of the input; throws `damage` if another thing follows. `first`: no member was met yet.
bool to_member(const format& of, compressed_input& from, bool first);

cut_function cut_bgzf;
cut_function cut_zstd;
cut_function cut_bzip2;

}  // namespace riffle::inline v0::decode

#endif
