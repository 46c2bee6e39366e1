/// Opens files of Windows by paths of any length, and reads what is typed at a console as UTF-8.
#include "os/windows/calls.hpp"

#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

#include "os/file.hpp"

namespace riffle::os {

namespace {

constexpr DWORD share_all = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

// Returns whether the system takes the path as it stands: in the extended form, or as the name of a device.
bool is_verbatim(const std::wstring& path) noexcept {
  return path.starts_with(L"\\\\?\\") || path.starts_with(L"\\\\.\\");
}

// The system takes a path that is longer, from the root, only in its extended form.
std::wstring extended(const std::filesystem::path& path) {
  constexpr std::size_t longest = 240;  // MAX_PATH is 260, with room for a name of 8.3
  std::error_code failure;              // opening it tells
  const std::wstring whole = path_from_root(path, failure).native();
  if (failure || whole.size() < longest || is_verbatim(whole)) return path.native();
  return whole.starts_with(L"\\\\") ? L"\\\\?\\UNC" + whole.substr(1) : L"\\\\?\\" + whole;
}

// A named pipe may be busy with another reader; then this waits.
HANDLE open_handle(const std::wstring& path, open_mode mode) {
  const DWORD access = mode == open_mode::read ? GENERIC_READ : GENERIC_READ | GENERIC_WRITE;
  const DWORD disposition = mode == open_mode::create       ? OPEN_ALWAYS
                            : mode >= open_mode::create_new ? CREATE_NEW
                                                            : OPEN_EXISTING;
  while (true) {
    // Directories are opened too, so that they get the error that they get elsewhere.
    HANDLE const handle = CreateFileW(path.c_str(), access, share_all, nullptr, disposition,
                                      FILE_ATTRIBUTE_NORMAL | FILE_FLAG_BACKUP_SEMANTICS, nullptr);
    if (handle != INVALID_HANDLE_VALUE || GetLastError() != ERROR_PIPE_BUSY) return handle;
    if (WaitNamedPipeW(path.c_str(), NMPWAIT_WAIT_FOREVER) == 0) return INVALID_HANDLE_VALUE;
  }
}

// Returns the descriptor of a handle, which it owns from then on.
int descriptor_of_new(owned_handle& handle, int access, std::string_view operation, std::string_view name) {
  const int descriptor =
      _open_osfhandle(reinterpret_cast<std::intptr_t>(handle.get()), access | _O_BINARY | _O_NOINHERIT);
  if (descriptor < 0) {
    fail(operation, name, std::nullopt, EMFILE, "the C library has no more descriptors; close other files");
  }
  handle.release();
  return descriptor;
}

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

file file::open(const std::filesystem::path& path, open_mode mode) {
  std::string name = name_of(path);
  if (path.native().find(L'\0') != std::wstring::npos) {
    throw error(errc::invalid_argument, "open", name, std::nullopt,
                "the path contains a NUL byte, where the system would end it");
  }
  owned_handle handle(open_handle(extended(path), mode));
  if (!handle.valid()) {
    const DWORD code = GetLastError();
    const bool taken = code == ERROR_SHARING_VIOLATION;
    fail_with(code, "open", name, std::nullopt,
              taken ? "another program has it open and does not share it" : "");
  }
  const int access = mode == open_mode::read ? _O_RDONLY : _O_RDWR;
  const int descriptor = descriptor_of_new(handle, access, "open", name);
  return {descriptor, true, std::move(name)};
}

file file::reopen() const {
  std::string name = name_;
  owned_handle handle(ReOpenFile(handle_of(descriptor_), GENERIC_READ, share_all, 0));
  if (!handle.valid()) fail_with(GetLastError(), "open", name_, std::nullopt, "a second time");
  const int descriptor = descriptor_of_new(handle, _O_RDONLY, "open", name);
  return {descriptor, true, std::move(name)};
}

file file::reopen_direct() const {
  fail("open", name_, std::nullopt, ENOTSUP);
}

file file::duplicate() const {
  constexpr std::string_view operation = "duplicate the descriptor of";
  std::string name = name_;
  HANDLE copy = nullptr;
  HANDLE const original = handle_of(descriptor_);
  if (original == INVALID_HANDLE_VALUE) fail(operation, name_, std::nullopt, EBADF);  // it means this process
  HANDLE const self = GetCurrentProcess();
  if (DuplicateHandle(self, original, self, &copy, 0, FALSE, DUPLICATE_SAME_ACCESS) == 0) {
    fail_with(GetLastError(), operation, name_);
  }
  owned_handle handle(copy);
  const int descriptor = descriptor_of_new(handle, _O_RDWR, operation, name);
  return {descriptor, true, std::move(name)};
}

file::~file() {
  if (owned_ && descriptor_ >= 0) _close(descriptor_);
}

// g++'s library takes \\server for a name in the working directory.
std::filesystem::path path_from_root(const std::filesystem::path& path, std::error_code& failure) {
  const std::wstring& plain = path.native();
  if (is_verbatim(plain)) return path;
  const DWORD size = GetFullPathNameW(plain.c_str(), 0, nullptr, nullptr);
  std::wstring whole(size, L'\0');
  const DWORD length = GetFullPathNameW(plain.c_str(), size, whole.data(), nullptr);
  if (length == 0 || length >= size) {  // another thread changed the working directory
    failure = {errno_of(GetLastError()), std::generic_category()};
    return {};
  }
  whole.resize(length);
  return whole;
}

std::string name_of(const std::filesystem::path& path) {
  const std::wstring& wide = path.native();
  const int length = static_cast<int>(wide.size());
  const int size = WideCharToMultiByte(CP_UTF8, 0, wide.data(), length, nullptr, 0, nullptr, nullptr);
  std::string name(static_cast<std::size_t>(size), '\0');
  WideCharToMultiByte(CP_UTF8, 0, wide.data(), length, name.data(), size, nullptr, nullptr);
  return name;
}

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
