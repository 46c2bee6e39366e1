/// Declares what the files of this folder share: the system's headers, handles, the console, and its errors
/// as errno.
#pragma once

#include <span>

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef _WIN32_WINNT
#define _WIN32_WINNT 0x0A00
#endif
#include <windows.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace riffle::os {

/// Returns the handle of a descriptor of the C library; INVALID_HANDLE_VALUE if it has none.
HANDLE handle_of(int descriptor) noexcept;

/// Returns the errno of an error of Windows, as the C library maps it; EIO for one that it does not know.
int errno_of(DWORD code) noexcept;

/// Throws `riffle::error` for an error of Windows: with the errno that fits, and the number if none does.
[[noreturn]] void fail_with(DWORD code, std::string_view operation, std::string_view name,
                            std::optional<std::uint64_t> offset = std::nullopt, std::string_view detail = {});

/// Returns whether an error of a read means the end: of a file, or of a pipe that its writer closed or whose
/// server disconnected.
inline bool is_end(DWORD code) noexcept {
  return code == ERROR_HANDLE_EOF || code == ERROR_BROKEN_PIPE || code == ERROR_PIPE_NOT_CONNECTED;
}

/// Keeps the module of riffle loaded, also after a FreeLibrary: for functions that the system calls later.
void stay_loaded() noexcept;

/// Closes a handle.
class owned_handle {
 public:
  explicit owned_handle(HANDLE handle) noexcept : handle_(handle) {}
  owned_handle(const owned_handle&) = delete;
  owned_handle& operator=(const owned_handle&) = delete;
  ~owned_handle() {
    if (valid()) CloseHandle(handle_);
  }
  HANDLE get() const noexcept { return handle_; }
  bool valid() const noexcept { return handle_ != nullptr && handle_ != INVALID_HANDLE_VALUE; }
  HANDLE release() noexcept {
    const HANDLE handle = handle_;
    handle_ = nullptr;
    return handle;
  }

 private:
  HANDLE handle_;
};

/// Returns where reading or writing at an offset begins, as the system takes it.
inline OVERLAPPED overlapped_at(std::uint64_t offset) noexcept {
  OVERLAPPED place{};
  place.Offset = static_cast<DWORD>(offset);
  place.OffsetHigh = static_cast<DWORD>(offset >> 32U);
  return place;
}

/// Returns the number that the system gives in two halves.
inline std::uint64_t joined(DWORD high, DWORD low) noexcept {
  return (std::uint64_t{high} << 32U) | low;
}

/// Returns a function of a loaded library of the system; null if this version has none.
template <class Function>
Function* function_named(const wchar_t* library, const char* name) noexcept {
  const HMODULE module = GetModuleHandleW(library);
  if (module == nullptr) return nullptr;
  return reinterpret_cast<Function*>(reinterpret_cast<void*>(GetProcAddress(module, name)));
}

/// Returns whether keys are typed there.
bool is_console(HANDLE handle) noexcept;

/// Reads some of a typed line as UTF-8, with its CR LF; no bytes after Ctrl+Z. Returns an error of Windows.
///
/// Thread safety: any number of threads may read; a process has one console.
DWORD read_console(HANDLE console, std::span<char> into, DWORD& count);

}  // namespace riffle::os
