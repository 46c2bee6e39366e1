/// Why this file exists: Ctrl-C half-way through a long measurement shall not lose what was measured.
#ifndef RIFFLE_OS_INTERRUPT_HPP
#define RIFFLE_OS_INTERRUPT_HPP

namespace riffle::os {

/// From now on the first SIGINT or SIGTERM is only noted; another one, a second or more later, ends the
/// program, as ever.
void note_interrupts();
/// Whether one was noted.
bool interrupted() noexcept;

}  // namespace riffle::os

#endif
