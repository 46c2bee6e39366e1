/// What the tool says of a file beside its result: that it may be cut, or that it is in another encoding.
#pragma once

#include <riffle/options.hpp>
#include <riffle/source.hpp>

#include <string>

#include "cli/reading.hpp"

namespace riffle::cli {

/// Throws `riffle::error` if `-z` was typed, and a file whose name says that it is compressed is not. `name`
/// is as it was typed.
void require_compressed(const std::string& name, const source& opened, const reading_arguments& given);
/// Returns what to say of a compressed file of which the bytes were taken, as no option says what is decoded:
/// if standard error is a terminal, or if reading it failed; empty: nothing.
std::string note_of_format(const std::string& name, bool failed, const reading_arguments& given);
/// Returns what to say of the end of an input that is decoded, and of which nothing was read yet; empty:
/// nothing. `name` is as it was typed.
std::string note_of_end(const std::string& name, const source& opened, const read_options& reading);
/// Returns whether an open input may begin as UTF-16 does: a look at its first two bytes, if it is not
/// decoded.
bool may_be_utf_16(const source& opened, const read_options& reading);
/// Returns what to say of a regular file that begins as UTF-16 does; empty: nothing.
std::string note_of_encoding(const std::string& name, read_options reading);

}  // namespace riffle::cli
