/// Keeps what was measured if Ctrl-C or a closed terminal ends a long measurement.
#pragma once

namespace riffle::os {

/// From now on the first SIGINT, SIGTERM or SIGHUP is only noted; another one, a second or more later, ends
/// the program, as ever. A SIGHUP that nohup(1) had ignored stays so.
void note_interrupts();
/// From now on writing to a closed pipe fails, and no longer ends the program.
void outlive_readers();
/// Whether one was noted.
bool interrupted() noexcept;
/// Ends the program by the signal that was noted, so that whoever started it learns of it. Nothing is cleaned
/// up from here on.
[[noreturn]] void end_by_signal() noexcept;

}  // namespace riffle::os
