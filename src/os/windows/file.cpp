/// Reads and writes by the handle of a descriptor, past the C library, which would change line ends.
#include "os/file.hpp"

#include "os/windows/calls.hpp"  // before the other headers of the system

#include <winioctl.h>
#include <winternl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>

#include "os/facts.hpp"

namespace riffle::os {

namespace {

constexpr std::size_t longest_call = std::size_t{1} << 30;

bool on_disk(HANDLE handle) noexcept {
  return GetFileType(handle) == FILE_TYPE_DISK;
}

std::uint64_t file_pointer(HANDLE handle) noexcept {
  LARGE_INTEGER position{};
  SetFilePointerEx(handle, {}, &position, FILE_CURRENT);
  return static_cast<std::uint64_t>(position.QuadPart);
}

void set_file_pointer(HANDLE handle, std::uint64_t position) noexcept {
  LARGE_INTEGER wanted{};
  wanted.QuadPart = static_cast<LONGLONG>(position);
  SetFilePointerEx(handle, wanted, nullptr, FILE_BEGIN);
}

std::optional<ACCESS_MASK> granted_to(HANDLE handle) noexcept {
  struct {
    ACCESS_MASK granted;
  } access{};
  constexpr auto access_information = static_cast<FILE_INFORMATION_CLASS>(8);
  IO_STATUS_BLOCK done{};
  const bool known = NtQueryInformationFile(handle, &done, &access, sizeof access, access_information) == 0;
  return known ? std::optional(access.granted) : std::nullopt;
}

// A read at an offset moves the file pointer, which is that of a stream on a duplicate too, and for a
// borrowed descriptor someone else's. Reads by one handle wait for each other anyway, so threads that share a
// descriptor may as well wait here.
class kept_pointer {
 public:
  kept_pointer(int descriptor, HANDLE handle)
      : lock_(mutexes()[static_cast<std::size_t>(descriptor) % mutexes().size()]),
        handle_(handle),
        before_(file_pointer(handle)) {}
  kept_pointer(const kept_pointer&) = delete;
  kept_pointer& operator=(const kept_pointer&) = delete;
  ~kept_pointer() { set_file_pointer(handle_, before_); }

 private:
  static std::array<std::mutex, 64>& mutexes() {
    static std::array<std::mutex, 64> all;
    return all;
  }
  std::lock_guard<std::mutex> lock_;
  HANDLE handle_;
  std::uint64_t before_;
};

// Starts a call that may go on in the background, if the handle was opened so, and waits for its end.
template <class Call>
DWORD finished(HANDLE handle, OVERLAPPED& place, DWORD& count, Call call) {
  if (call() != 0) return ERROR_SUCCESS;
  const DWORD code = GetLastError();
  if (code == ERROR_MORE_DATA) count = static_cast<DWORD>(place.InternalHigh);  // the call leaves it at 0
  if (code != ERROR_IO_PENDING) return code;
  return GetOverlappedResult(handle, &place, &count, TRUE) != 0 ? DWORD{ERROR_SUCCESS} : GetLastError();
}

DWORD length_of(std::size_t size) noexcept {
  return static_cast<DWORD>(std::min(size, longest_call));
}

// Returns whether the other end of a pipe is still open. A writer may write no bytes, which ends nothing.
bool has_writer(HANDLE pipe) noexcept {
  return PeekNamedPipe(pipe, nullptr, 0, nullptr, nullptr, nullptr) != 0;
}

// Returns whether a read that failed, or that got nothing, is tried again.
bool retries(HANDLE handle, DWORD code, DWORD count) noexcept {
  if (code == ERROR_NO_DATA || code == ERROR_OPERATION_ABORTED) return true;
  return code == ERROR_SUCCESS && count == 0 && GetFileType(handle) == FILE_TYPE_PIPE && has_writer(handle);
}

// Wine gives these facts of a file that a program of Linux handed over, and refuses to give them at once.
bool ask_one_by_one(HANDLE handle, BY_HANDLE_FILE_INFORMATION& facts) noexcept {
  FILE_BASIC_INFO basic{};
  FILE_STANDARD_INFO standard{};
  FILE_ID_INFO identity{};
  if (GetFileInformationByHandleEx(handle, FileBasicInfo, &basic, sizeof basic) == 0 ||
      GetFileInformationByHandleEx(handle, FileStandardInfo, &standard, sizeof standard) == 0 ||
      GetFileInformationByHandleEx(handle, FileIdInfo, &identity, sizeof identity) == 0) {
    return false;
  }
  const auto low = [](auto number) { return static_cast<DWORD>(number); };
  const auto high = [](auto number) { return static_cast<DWORD>(static_cast<std::uint64_t>(number) >> 32U); };
  std::uint64_t index = 0;
  std::memcpy(&index, &identity.FileId, sizeof index);
  facts.dwFileAttributes = basic.FileAttributes;
  facts.nFileSizeLow = low(standard.EndOfFile.QuadPart);
  facts.nFileSizeHigh = high(standard.EndOfFile.QuadPart);
  facts.dwVolumeSerialNumber = low(identity.VolumeSerialNumber);
  facts.nFileIndexLow = low(index);
  facts.nFileIndexHigh = high(index);
  facts.ftLastWriteTime = {low(basic.LastWriteTime.QuadPart), high(basic.LastWriteTime.QuadPart)};
  return true;
}

}  // namespace

void wait_readable(int descriptor) {
  HANDLE const handle = handle_of(descriptor);
  DWORD available = 0;
  while (GetFileType(handle) == FILE_TYPE_PIPE &&
         PeekNamedPipe(handle, nullptr, 0, nullptr, &available, nullptr) != 0 && available == 0) {
    Sleep(1);
  }
}

file_status file::status() const {
  HANDLE const handle = handle_of(descriptor_);
  const DWORD type = GetFileType(handle);
  if (type == FILE_TYPE_UNKNOWN) fail_with(ERROR_INVALID_HANDLE, "read", name_);
  constexpr std::uint64_t io_size = 4096;
  file_status status{file_kind::pipe, 0, 0, 0, 0, io_size};
  if (type == FILE_TYPE_PIPE) return status;
  if (type == FILE_TYPE_CHAR) {
    status.kind = is_console(handle) ? file_kind::terminal : file_kind::character_device;
    return status;
  }
  BY_HANDLE_FILE_INFORMATION facts{};
  if (GetFileInformationByHandle(handle, &facts) == 0 && !ask_one_by_one(handle, facts)) {
    const DWORD refusal = GetLastError();
    status.kind = file_kind::block_device;
    status.size = block_device_size(descriptor_);
    if (status.size == 0) fail_with(refusal, "read", name_);
    return status;
  }
  const bool directory = (facts.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  status.kind = directory ? file_kind::directory : file_kind::regular;
  if (!directory) status.size = joined(facts.nFileSizeHigh, facts.nFileSizeLow);
  status.device = status.storage = facts.dwVolumeSerialNumber;
  status.inode = joined(facts.nFileIndexHigh, facts.nFileIndexLow);
  constexpr std::int64_t unit = 100;                              // nanoseconds
  constexpr std::int64_t from_1601_to_1970 = 116444736000000000;  // units
  const std::uint64_t written =
      joined(facts.ftLastWriteTime.dwHighDateTime, facts.ftLastWriteTime.dwLowDateTime);
  status.modified = (static_cast<std::int64_t>(written) - from_1601_to_1970) * unit;
  return status;
}

std::uint64_t file::end() const {
  return status().size;
}

std::optional<std::uint64_t> file::position() const noexcept {
  HANDLE const handle = handle_of(descriptor_);
  return on_disk(handle) ? std::optional(file_pointer(handle)) : std::nullopt;
}

bool file::seekable() const noexcept {
  return position().has_value();
}

void file::set_position(std::uint64_t position) const noexcept {
  set_file_pointer(handle_of(descriptor_), position);
}

// The system appends if it may append and may not write elsewhere.
bool file::appends() const noexcept {
  const std::optional<ACCESS_MASK> granted = granted_to(handle_of(descriptor_));
  return granted && (*granted & FILE_APPEND_DATA) != 0 && (*granted & FILE_WRITE_DATA) == 0;
}

bool file::reads_and_writes() const noexcept {
  const std::optional<ACCESS_MASK> granted = granted_to(handle_of(descriptor_));
  return !granted || ((*granted & FILE_READ_DATA) != 0 && (*granted & FILE_WRITE_DATA) != 0);
}

std::size_t file::read(std::span<char> into, std::uint64_t offset) const {
  HANDLE const handle = handle_of(descriptor_);
  const bool at_pointer = on_disk(handle);
  const bool typed = is_console(handle);
  while (true) {
    OVERLAPPED place{};
    DWORD count = 0;
    const DWORD code = typed ? read_console(handle, into, count) : finished(handle, place, count, [&] {
      return ReadFile(handle, into.data(), length_of(into.size()), &count, at_pointer ? nullptr : &place);
    });
    if (is_end(code)) return 0;
    if (retries(handle, code, count)) {
      wait();
      continue;
    }
    if (code != ERROR_SUCCESS && code != ERROR_MORE_DATA) fail_with(code, "read", name_, offset);
    return count;
  }
}

std::size_t file::read_at(std::span<char> into, std::uint64_t offset, bool /*uncached*/) const {
  HANDLE const handle = handle_of(descriptor_);
  const kept_pointer kept(descriptor_, handle);
  OVERLAPPED place = overlapped_at(offset);
  DWORD count = 0;
  const DWORD code = finished(handle, place, count, [&] {
    return ReadFile(handle, into.data(), length_of(into.size()), &count, &place);
  });
  if (is_end(code)) return 0;
  if (code != ERROR_SUCCESS) fail_with(code, "read", name_, offset);
  return count;
}

void file::write(std::string_view bytes) const {
  HANDLE const handle = handle_of(descriptor_);
  const bool at_pointer = on_disk(handle);
  while (!bytes.empty()) {
    OVERLAPPED place{};
    DWORD count = 0;
    const DWORD code = finished(handle, place, count, [&] {
      return WriteFile(handle, bytes.data(), length_of(bytes.size()), &count, at_pointer ? nullptr : &place);
    });
    if (code != ERROR_SUCCESS) fail_with(code, "write", name_);
    if (count == 0) Sleep(1);  // a pipe that does not wait, and is full
    bytes.remove_prefix(count);
  }
}

// The system takes no hint for a file that is open.
void file::advise_sequential() const noexcept {}
void file::advise_will_need(std::uint64_t, std::uint64_t) const noexcept {}
void file::drop_cache(std::uint64_t, std::uint64_t) const noexcept {}

void file::resize(std::uint64_t size) const {
  FILE_END_OF_FILE_INFO end{};
  end.EndOfFile.QuadPart = static_cast<LONGLONG>(size);
  if (SetFileInformationByHandle(handle_of(descriptor_), FileEndOfFileInfo, &end, sizeof end) == 0) {
    fail_with(GetLastError(), "resize", name_);
  }
}

}  // namespace riffle::os
