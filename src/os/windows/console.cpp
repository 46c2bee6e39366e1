/// Reads what is typed at a console as UTF-8, which ReadFile does not give for every character.
#include "os/windows/console.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <string>

namespace riffle::os {

namespace {

constexpr wchar_t end_key = 0x1a;  // Ctrl+Z at the start of a line

bool is_first_half(wchar_t unit) noexcept {
  return unit >= 0xd800 && unit < 0xdc00;
}

// Reads a line, or a part of it that ends with a whole character. It is empty for the end. Returns an error
// of Windows.
DWORD read_line(HANDLE console, std::string& line) {
  std::array<wchar_t, 4096> typed{};
  DWORD count = 0;
  do {
    SetLastError(ERROR_SUCCESS);
    if (ReadConsoleW(console, typed.data(), static_cast<DWORD>(typed.size() - 1), &count, nullptr) == 0) {
      return GetLastError();
    }
  } while (count == 0 && GetLastError() == ERROR_OPERATION_ABORTED);  // Ctrl+C, which the program handles
  if (count != 0 && is_first_half(typed[count - 1])) {
    DWORD rest = 0;
    if (ReadConsoleW(console, &typed[count], 1, &rest, nullptr) == 0) return GetLastError();
    count += rest;
  }
  if (count == 0 || typed[0] == end_key) return ERROR_SUCCESS;
  const int size =
      WideCharToMultiByte(CP_UTF8, 0, typed.data(), static_cast<int>(count), nullptr, 0, nullptr, nullptr);
  line.resize(static_cast<std::size_t>(size));
  WideCharToMultiByte(CP_UTF8, 0, typed.data(), static_cast<int>(count), line.data(), size, nullptr, nullptr);
  return ERROR_SUCCESS;
}

}  // namespace

bool is_console(HANDLE handle) noexcept {
  DWORD mode = 0;
  return GetFileType(handle) == FILE_TYPE_CHAR && GetConsoleMode(handle, &mode) != 0;
}

DWORD read_console(HANDLE console, std::span<char> into, DWORD& count) {
  static std::mutex one_console;
  static std::string rest;  // of a line that was longer than `into`
  const std::lock_guard lock(one_console);
  count = 0;
  if (rest.empty()) {
    if (const DWORD code = read_line(console, rest); code != ERROR_SUCCESS) return code;
  }
  count = static_cast<DWORD>(std::min(rest.size(), into.size()));
  rest.copy(into.data(), count);
  rest.erase(0, count);
  return ERROR_SUCCESS;
}

}  // namespace riffle::os
