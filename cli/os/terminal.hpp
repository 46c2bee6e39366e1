/// System calls that write to a terminal or a pipe without waiting for who reads it.
#ifndef RIFFLE_CLI_OS_TERMINAL_HPP
#define RIFFLE_CLI_OS_TERMINAL_HPP

#include <cstddef>
#include <optional>
#include <string_view>

namespace riffle::os {

/// Returns how many columns the terminal has now; nothing if it does not tell.
std::optional<std::size_t> columns_of_terminal(int descriptor) noexcept;

/// Returns whether the terminal is controlled by another process group than this one, as for `riffle ... &`.
bool in_background(int descriptor) noexcept;

/// Writes the text, at most 4096 bytes of it, unless the descriptor is full.
void write_unless_full(int descriptor, std::string_view text) noexcept;

}  // namespace riffle::os

#endif
