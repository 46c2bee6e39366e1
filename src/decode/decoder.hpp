/// Tells the format of an input by its first bytes, and decodes it between the method and the records.
#pragma once

#include <riffle/input.hpp>
#include <riffle/options.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "decode/format.hpp"
#include "method/active_method.hpp"

namespace riffle::inline v0 {

/// Returns the format from which an input is decoded as `given` says; `none`, or `automatic` if only reading
/// tells it. Reads the first bytes of a seekable input, to find its format. Throws `riffle::error`
/// (`errc::method_unavailable`) if this build lacks the library.
decoding decoder_for(const open_file& input, const read_options& given);

/// Returns the format that the first bytes of a seekable input show, also if this build lacks its library;
/// `decoding::none` for other inputs.
decoding format_in(const open_file& input);

/// Returns whether a split is a whole file, which then is decoded as one.
inline bool is_whole(const file_split& split) noexcept {
  return split.begin == 0 && split.end == split.size;
}

/// Returns whether a seekable input is BGZF without the empty block at its end.
bool lacks_end_marker(const open_file& input);

/// Returns where the members of a compressed file begin that can be decoded alone, and where the last one
/// ends, in compressed bytes; nothing if it has none. `from` reads it from its start. Throws `riffle::error`.
std::vector<std::uint64_t> members_of(decoding format, active_method& from, const std::string& name);

namespace decode {

/// Throws if this build lacks the library.
void require_library(const format& of, const std::string& name);
/// Throws if the bytes begin what is known to be compressed in another way.
void require_plain(std::string_view bytes, const std::string& name);
/// Returns the first bytes of an input that can be read again, those of the file for a split of it;
/// `std::nullopt` if it cannot.
std::optional<std::string_view> first_bytes(const open_file& input, std::span<char> space);

}  // namespace decode

/// Makes what decodes the bytes of `below`. That, the input and the options outlive it.
std::unique_ptr<active_method> open_decoder(decoding format, active_method& below, const open_file& input,
                                            const read_options& given);

}  // namespace riffle::inline v0
