/// Looks at the first bytes of an input, and refuses what riffle cannot decode.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "decode/format.hpp"
#include "method/open_file.hpp"

namespace riffle::inline v0::decode {

/// Throws if this build lacks the library.
void require_library(const format& of, const std::string& name);
/// Throws if the bytes begin what is known to be compressed in another way.
void require_plain(std::string_view bytes, const std::string& name);
/// Returns the first bytes of an input that can be read again, those of the file for a split of it;
/// `std::nullopt` if it cannot.
std::optional<std::string_view> first_bytes(const open_file& input, std::span<char> space);

}  // namespace riffle::inline v0::decode
