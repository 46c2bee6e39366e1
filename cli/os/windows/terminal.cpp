/// Asks the console, and adds a control handler, which Windows runs in a thread of its own.
#include "cli/os/terminal.hpp"

#include <array>
#include <atomic>

#include "os/windows/calls.hpp"

namespace riffle::os {

namespace {

std::array<std::atomic<void (*)()>, 2> last_calls = {};

// The handlers before this one end the program.
BOOL WINAPI on_control(DWORD event) {
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) return FALSE;
  for (const auto& last : last_calls) {
    if (last != nullptr) last.load()();
  }
  return FALSE;
}

}  // namespace

void write_to_terminal(std::string_view text) noexcept {
  DWORD written = 0;  // what the console does not take is lost
  WriteFile(GetStdHandle(STD_ERROR_HANDLE), text.data(), static_cast<DWORD>(text.size()), &written, nullptr);
}

void call_before_the_end(void (*last)()) noexcept {
  const bool first = last_calls[0] == nullptr;
  last_calls[first ? 0 : 1] = last;
  if (first) SetConsoleCtrlHandler(on_control, TRUE);
}

void take_end_signals(bool /*taken*/) noexcept {}

}  // namespace riffle::os
