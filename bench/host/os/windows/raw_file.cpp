/// The C library's read, which programs of POSIX call on Windows too, and views of files.
#include "bench/host/os/raw_file.hpp"

#include "os/windows/calls.hpp"  // before the other headers of the system

#include <fcntl.h>
#include <io.h>

#include <algorithm>
#include <cerrno>
#include <climits>

namespace riffle::os {

const bool takes_advice = false;
const bool populates = false;

int open_raw(const std::filesystem::path& path) noexcept {
  return _wopen(path.c_str(), _O_RDONLY | _O_BINARY | _O_NOINHERIT);
}

void close_raw(int descriptor) noexcept {
  _close(descriptor);
}

std::FILE* open_raw_stream(const std::filesystem::path& path) noexcept {
  return _wfopen(path.c_str(), L"rb");
}

std::optional<std::uint64_t> size_of_raw(int descriptor) noexcept {
  const std::int64_t size = _filelengthi64(descriptor);
  return size < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(size));
}

std::ptrdiff_t read_raw(int descriptor, void* into, std::size_t size) noexcept {
  return _read(descriptor, into, static_cast<unsigned>(std::min<std::size_t>(size, INT_MAX)));
}

std::ptrdiff_t read_raw_at(int descriptor, void* into, std::size_t size, std::uint64_t offset) noexcept {
  OVERLAPPED place = overlapped_at(offset);
  DWORD count = 0;
  const auto length = static_cast<DWORD>(std::min<std::size_t>(size, INT_MAX));
  if (ReadFile(handle_of(descriptor), into, length, &count, &place) != 0) return count;
  const DWORD code = GetLastError();
  if (code == ERROR_HANDLE_EOF) return 0;
  errno = errno_of(code);
  return -1;
}

// All views that are only read are alike. The hints and MAP_POPULATE are for other systems.
std::string_view map_raw(int descriptor, std::size_t size, map_how) noexcept {
  const owned_handle mapping(
      CreateFileMappingW(handle_of(descriptor), nullptr, PAGE_READONLY, 0, 0, nullptr));
  const void* const start =
      mapping.valid() ? MapViewOfFile(mapping.get(), FILE_MAP_READ, 0, 0, size) : nullptr;
  if (start != nullptr) return {static_cast<const char*>(start), size};
  errno = errno_of(GetLastError());
  return {};
}

void unmap_raw(std::string_view bytes) noexcept {
  UnmapViewOfFile(bytes.data());
}

}  // namespace riffle::os
