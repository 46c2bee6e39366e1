/// The terminal of standard error: a write that does not wait, and a last one before a signal ends the
/// program.
#pragma once

#include <string_view>

namespace riffle::os {

/// Writes the text, unless the terminal is full or another process group has it, as for `riffle ... &`. A
/// signal handler may call it.
void write_to_terminal(std::string_view text) noexcept;

/// From now on the signals that end a program, such as that of Ctrl-C, call `last` as a signal handler, and
/// then end the program as ever; not SIGKILL, real-time signals, and those of a fault. A signal that was
/// ignored or blocked stays so. Call it for at most two functions.
void call_before_the_end(void (*last)()) noexcept;

/// Says whether those signals may come to the calling thread, and to those that it starts from now on. The OS
/// kernel prefers the main thread, and runs no handler there while it waits for a disk or a file server.
void take_end_signals(bool taken) noexcept;

}  // namespace riffle::os
