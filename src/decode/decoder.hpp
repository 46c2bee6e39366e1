/// Decodes an input, whatever its format, between the method and the records.
#pragma once

#include <riffle/options.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "method/active_method.hpp"

namespace riffle::inline v0 {

/// Returns the format from which an input is decoded as `given` says; `none`, or `automatic` if only reading
/// tells it. Reads the first bytes of a seekable input, to find its format. Throws `riffle::error`
/// (`errc::method_unavailable`) if this build lacks the library.
decoding decoder_for(const open_file& input, const read_options& given);

/// Makes what decodes the bytes of `below`. That, the input and the options outlive it.
std::unique_ptr<active_method> open_decoder(decoding format, active_method& below, const open_file& input,
                                            const read_options& given);

/// Returns the format that the first bytes of a seekable input show, also if this build lacks its library;
/// `decoding::none` for other inputs.
decoding format_in(const open_file& input);

/// Returns whether a seekable input is BGZF without the empty block at its end.
bool lacks_end_marker(const open_file& input);

/// Returns where the members of a compressed file begin that can be decoded alone, and where the last one
/// ends, in compressed bytes. `from` reads it from its start. Throws `riffle::error`
/// (`errc::invalid_argument`) if it has none, with the remedy.
std::vector<std::uint64_t> members_of(decoding format, active_method& from, const std::string& name);

}  // namespace riffle::inline v0
