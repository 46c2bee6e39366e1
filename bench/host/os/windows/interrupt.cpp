/// `os::interrupted` by a control handler that sets a flag and nothing else.
#include "bench/host/os/interrupt.hpp"

#include "os/windows/calls.hpp"

#include <atomic>
#include <cstdlib>

namespace riffle::os {

namespace {

std::atomic<ULONGLONG> noted_at = 0;

// A second one, a second later, goes on to the handler of the system, which ends the program.
BOOL WINAPI on_control(DWORD) {
  constexpr ULONGLONG at_once = 1000;  // milliseconds
  ULONGLONG first = 0;
  const ULONGLONG now = GetTickCount64() + 1;  // never 0
  if (noted_at.compare_exchange_strong(first, now)) return TRUE;
  return now - first > at_once ? FALSE : TRUE;
}

}  // namespace

void note_interrupts() {
  SetConsoleCtrlHandler(on_control, TRUE);
}

// Windows ends no program for that.
void outlive_readers() {}

bool interrupted() noexcept {
  return noted_at != 0;
}

void end_by_signal() noexcept {
  TerminateProcess(GetCurrentProcess(), static_cast<UINT>(STATUS_CONTROL_C_EXIT));
  std::abort();
}

}  // namespace riffle::os
