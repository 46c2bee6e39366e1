/// Opens files of Windows by paths of any length, so that others may write, rename and remove them meanwhile.
#include <fcntl.h>
#include <io.h>

#include <cerrno>
#include <string>
#include <utility>

#include "os/file.hpp"
#include "os/windows/calls.hpp"

namespace riffle::os {

namespace {

constexpr DWORD share_all = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;

// The system takes a longer path only in its extended form, which is absolute.
std::wstring extended(const std::filesystem::path& path) {
  constexpr std::size_t longest = 240;  // MAX_PATH is 260, with room for a name of 8.3
  const std::wstring& plain = path.native();
  if (plain.size() < longest || plain.starts_with(L"\\\\?\\") || plain.starts_with(L"\\\\.\\")) return plain;
  std::wstring whole = std::filesystem::absolute(path).lexically_normal().make_preferred().native();
  if (whole.starts_with(L"\\\\")) return L"\\\\?\\UNC" + whole.substr(1);
  return L"\\\\?\\" + whole;
}

// A named pipe may be busy with another reader; then this waits.
HANDLE open_handle(const std::wstring& path, open_mode mode) {
  const DWORD access = mode == open_mode::read ? GENERIC_READ : GENERIC_READ | GENERIC_WRITE;
  const DWORD disposition = mode == open_mode::create ? OPEN_ALWAYS : OPEN_EXISTING;
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

}  // namespace

file file::open(const std::filesystem::path& path, open_mode mode) {
  std::string name = name_of(path);
  if (path.native().find(L'\0') != std::wstring::npos) {
    throw error(errc::invalid_argument, "open", name, std::nullopt,
                "the path contains a zero byte, where the system would end it");
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
  std::string name = name_;
  owned_handle handle(ReOpenFile(handle_of(descriptor_), GENERIC_READ, share_all,
                                 FILE_FLAG_NO_BUFFERING | FILE_FLAG_OVERLAPPED));
  if (!handle.valid()) fail_with(GetLastError(), "open", name_, std::nullopt, "with FILE_FLAG_NO_BUFFERING");
  const int descriptor = descriptor_of_new(handle, _O_RDONLY, "open", name);
  return {descriptor, true, std::move(name)};
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

std::string name_of(const std::filesystem::path& path) {
  const std::wstring& wide = path.native();
  const int length = static_cast<int>(wide.size());
  const int size = WideCharToMultiByte(CP_UTF8, 0, wide.data(), length, nullptr, 0, nullptr, nullptr);
  std::string name(static_cast<std::size_t>(size), '\0');
  WideCharToMultiByte(CP_UTF8, 0, wide.data(), length, name.data(), size, nullptr, nullptr);
  return name;
}

}  // namespace riffle::os
