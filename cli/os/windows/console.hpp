/// Gives the user's console back as it was.
#ifndef RIFFLE_CLI_OS_WINDOWS_CONSOLE_HPP
#define RIFFLE_CLI_OS_WINDOWS_CONSOLE_HPP

namespace riffle::os {

/// Sets the code page that the console had before `start_program`.
void restore_console() noexcept;

}  // namespace riffle::os

#endif
