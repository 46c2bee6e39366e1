/// Whether an output is a terminal or a pipe, and how wide the terminal is.
#pragma once

#include <cstddef>
#include <cstdio>

namespace riffle::os {

/// Returns whether what is written to the stream goes to a terminal.
bool is_terminal(std::FILE* stream) noexcept;
/// Returns whether another program reads what is written to the stream: from a pipe or a socket.
bool is_pipe(std::FILE* stream) noexcept;
/// Returns how many columns the terminal of the stream has now; 80 if it does not tell, or if it is none. A
/// signal handler may call it.
std::size_t columns_of_terminal(std::FILE* stream) noexcept;

}  // namespace riffle::os
