/// `os::interrupts` by a control handler, which Windows runs in a thread of its own.
#include "cli/os/interrupts.hpp"

#include "os/windows/calls.hpp"

#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <utility>

#include "cli/os/windows/console.hpp"

namespace riffle::os {

namespace {

std::mutex mutex;
std::condition_variable noted;
bool woken = false;
int pending = 0;

void note(int signal) {
  const std::lock_guard lock(mutex);
  woken = true;
  if (pending == 0) pending = signal;
  noted.notify_all();
}

// The system runs this in a thread of its own. Whoever waits for the signal ends the program; but if another
// thread waits in a write to a full pipe, what asks for the room there waits too. Closing the window ends the
// program as ever.
BOOL WINAPI on_control(DWORD event) {
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) return FALSE;
  const int signal = event == CTRL_C_EVENT ? SIGINT : SIGBREAK;
  note(signal);
  constexpr DWORD longest = 500;  // milliseconds
  Sleep(longest);
  interrupts::end_program(signal);
}

}  // namespace

interrupts::interrupts() noexcept {
  SetConsoleCtrlHandler(on_control, TRUE);
}

interrupts::~interrupts() {
  SetConsoleCtrlHandler(on_control, FALSE);
  if (pending != 0) end_program(pending);
}

int interrupts::wait(std::optional<std::chrono::nanoseconds> longest) const noexcept {
  std::unique_lock lock(mutex);
  const auto is_woken = [] { return woken; };
  if (longest) {
    noted.wait_for(lock, *longest, is_woken);
  } else {
    noted.wait(lock, is_woken);
  }
  woken = false;
  return std::exchange(pending, 0);
}

void interrupts::wake(std::thread& /*waiting*/) noexcept {
  note(0);
}

// As the control handler of the system itself does.
void interrupts::end_program(int /*signal*/) noexcept {
  restore_console();
  TerminateProcess(GetCurrentProcess(), static_cast<UINT>(STATUS_CONTROL_C_EXIT));
  std::abort();
}

// Whoever writes to a console is never stopped for it.
void write_in_background() noexcept {}

}  // namespace riffle::os
