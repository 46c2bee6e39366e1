/// Asks the console, and adds a control handler, which Windows runs in a thread of its own.
#include "cli/os/terminal.hpp"

#include "os/windows/calls.hpp"

namespace riffle::os {

namespace {

void (*last_call)() = nullptr;

// The handlers before this one end the program.
BOOL WINAPI on_control(DWORD event) {
  if (event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT) last_call();
  return FALSE;
}

}  // namespace

void write_to_terminal(std::string_view text) noexcept {
  DWORD written = 0;  // what the console does not take is lost
  WriteFile(GetStdHandle(STD_ERROR_HANDLE), text.data(), static_cast<DWORD>(text.size()), &written, nullptr);
}

void call_before_the_end(void (*last)()) noexcept {
  last_call = last;
  SetConsoleCtrlHandler(on_control, TRUE);
}

void take_end_signals(bool /*taken*/) noexcept {}

}  // namespace riffle::os
