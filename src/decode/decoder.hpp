/// The stage that decodes an input, whatever its format.
#ifndef RIFFLE_DECODE_DECODER_HPP
#define RIFFLE_DECODE_DECODER_HPP

#include <riffle/options.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "method/active_method.hpp"

namespace riffle::inline v0 {

/// Returns the stage that decodes an input as `given` says; null if none does. Reads the first bytes of a
/// seekable input, to find its format. Throws `riffle::error` (`errc::method_unavailable`) if this build
/// lacks the library.
const stage* decoder_for(const open_file& input, const read_options& given);

/// Returns the format that the first bytes of a seekable input show, also if this build lacks its library;
/// `decoding::none` for other inputs.
decoding format_in(const open_file& input);

/// Returns whether a seekable input is BGZF without the empty block at its end.
bool lacks_end_marker(const open_file& input);

/// Returns where the members of a compressed file begin that can be decoded alone, and where the last one
/// ends, in compressed bytes. `from` reads it from its start. Throws `riffle::error`
/// (`errc::invalid_argument`) if it has none, with the remedy.
std::vector<std::uint64_t> members_of(const stage& decoding, active_method& from, const std::string& name);

}  // namespace riffle::inline v0

#endif
