/// Lets one thread wait for the signals that ask the program to end, while the others read undisturbed.
#ifndef RIFFLE_CLI_OS_INTERRUPTS_HPP
#define RIFFLE_CLI_OS_INTERRUPTS_HPP

#include <chrono>
#include <optional>
#include <thread>

namespace riffle::os {

/// While it exists, SIGINT and SIGTERM do not end the program: one thread waits for them. A handler would not
/// do: the OS kernel prefers the main thread, and runs no handler there while it waits for a disk or a file
/// server. A signal that was ignored or blocked before stays so, as in a background job of a script. On
/// Windows they are Ctrl-C and Ctrl-Break. A program has one such object at a time.
class interrupts {
 public:
  /// Blocks the signals in the calling thread and in those that it starts from now on.
  interrupts() noexcept;
  /// Call it in the same thread. A signal that no one waited for then takes effect.
  ~interrupts();
  interrupts(const interrupts&) = delete;
  interrupts& operator=(const interrupts&) = delete;

  /// Waits for such a signal, without a limit if there is no `longest`. Returns it; 0 if the time is over or
  /// the thread was woken.
  [[nodiscard]] int wait(std::optional<std::chrono::nanoseconds> longest) const noexcept;
  /// Ends the `wait` of a thread, or its next one.
  static void wake(std::thread& waiting) noexcept;
  /// Ends the program by a signal that `wait` returned, so that whoever started it learns of it.
  [[noreturn]] static void end_program(int signal) noexcept;
};

/// Lets the calling thread write to its terminal while its process group is in the background, where that
/// could stop the program.
void write_in_background() noexcept;

}  // namespace riffle::os

#endif
