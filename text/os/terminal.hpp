/// Whether an output is a terminal or a pipe.
#pragma once

#include <cstdio>

namespace riffle::os {

/// Returns whether what is written to the stream goes to a terminal.
bool is_terminal(std::FILE* stream) noexcept;
/// Returns whether another program reads what is written to the stream: from a pipe or a socket.
bool is_pipe(std::FILE* stream) noexcept;

}  // namespace riffle::os
