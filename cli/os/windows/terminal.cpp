/// A pipe tells how much it takes before a write waits for its reader.
#include "cli/os/terminal.hpp"

#include "os/windows/calls.hpp"  // before the other headers of the system

#include <winternl.h>

#include <algorithm>

namespace riffle::os {

namespace {

constexpr std::size_t most_at_once = 4096;

/// FILE_PIPE_LOCAL_INFORMATION, which the headers for programs leave out.
struct pipe_information {
  ULONG type, configuration, most_instances, instances;
  ULONG inbound_quota, readable, outbound_quota, writable;
  ULONG state, end;
};

bool has_room(HANDLE output) noexcept {
  if (GetFileType(output) != FILE_TYPE_PIPE) return true;
  constexpr auto local_information = static_cast<FILE_INFORMATION_CLASS>(24);
  pipe_information pipe{};
  IO_STATUS_BLOCK done{};
  return NtQueryInformationFile(output, &done, &pipe, sizeof pipe, local_information) == 0 &&
         pipe.writable >= most_at_once;
}

}  // namespace

std::optional<std::size_t> columns_of_terminal(int descriptor) noexcept {
  CONSOLE_SCREEN_BUFFER_INFO console{};
  if (GetConsoleScreenBufferInfo(handle_of(descriptor), &console) == 0) return std::nullopt;
  return static_cast<std::size_t>(console.srWindow.Right - console.srWindow.Left + 1);
}

bool in_background(int /*descriptor*/) noexcept {
  return false;
}

void write_unless_full(int descriptor, std::string_view text) noexcept {
  HANDLE const output = handle_of(descriptor);
  if (!has_room(output)) return;
  DWORD written = 0;  // what the console does not take is lost
  WriteFile(output, text.data(), static_cast<DWORD>(std::min(text.size(), most_at_once)), &written, nullptr);
}

}  // namespace riffle::os
