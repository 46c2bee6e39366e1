/// What the tool does with standard input and output, beside reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <system_error>

namespace riffle::os {

/// Writes all bytes at the position of the descriptor. It waits for a slow reader, also if the descriptor is
/// non-blocking. Returns the errno of a failure; 0: none.
int write_all(int descriptor, std::string_view bytes) noexcept;

/// Returns the size of a regular file in bytes. Sets `failure` to what std::filesystem::file_size says of a
/// path.
std::uintmax_t size_of(int descriptor, std::error_code& failure) noexcept;

/// Reads the first bytes of a file, wherever the position of its descriptor is. Returns their number; 0 if
/// the descriptor has no positions, or a read fails.
std::size_t read_front(int descriptor, std::span<char> into) noexcept;

/// Sets the position of a descriptor, if it has one.
void set_position(int descriptor, std::uint64_t position) noexcept;

}  // namespace riffle::os
