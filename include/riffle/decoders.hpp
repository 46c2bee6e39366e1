/// Offers the table of formats that riffle decodes.
#pragma once

#include <riffle/export.hpp>
#include <riffle/input.hpp>
#include <riffle/options.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace riffle::inline v0 {

/// Describes one format of compressed input.
struct decoder_info {
  decoding id;               ///< as `read_options::decode` takes it
  std::string_view name;     ///< as written after `--decode`
  std::string_view library;  ///< what decodes it, as text
  std::string_view parts;    ///< what several threads decode side by side, as text; empty: nothing
  /// Why this build of riffle cannot decode it, with the remedy; empty if it can.
  std::string_view unavailable;
};

/// Returns all formats, in the order in which `riffle methods` lists them. Valid until the program ends.
RIFFLE_API std::span<const decoder_info> decoders() noexcept;
/// Returns the description of a format; nullptr for `none` and `automatic`. Valid until the program ends.
RIFFLE_API const decoder_info* find_decoder(decoding id) noexcept;
/// Returns the format of that name, "none" and "automatic" included; `std::nullopt` if there is none.
RIFFLE_API std::optional<decoding> decoding_named(std::string_view name) noexcept;
/// Opens an input and returns the format that its first bytes show: what `decoding::automatic` decodes. It
/// does not open the path of a FIFO, and reads nothing of what is not seekable: `decoding::none`. Throws
/// `riffle::error` if the input cannot be opened.
RIFFLE_API decoding decoding_of(const input& from);
/// Opens an input and returns whether it is BGZF that does not end in the empty block which marks its end: it
/// may have been cut between two blocks, which reading it cannot tell. It asks for no bytes of what is not
/// seekable: false. Throws `riffle::error` if the input cannot be opened or read.
RIFFLE_API bool lacks_end_marker(const input& from);
/// Returns the name of a format as `--decode` takes it. Valid until the program ends.
RIFFLE_API std::string_view name_of(decoding id) noexcept;

}  // namespace riffle::inline v0
