/// The system calls of POSIX, as they are.
#include "bench/host/os/raw_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace riffle::os {

int open_raw(const std::filesystem::path& path) noexcept {
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
}

void close_raw(int descriptor) noexcept {
  ::close(descriptor);
}

std::FILE* open_raw_stream(const std::filesystem::path& path) noexcept {
  return std::fopen(path.c_str(), "rbe");
}

std::optional<std::uint64_t> size_of_raw(int descriptor) noexcept {
  struct stat facts{};
  if (fstat(descriptor, &facts) != 0) return std::nullopt;
  return static_cast<std::uint64_t>(facts.st_size);
}

std::ptrdiff_t read_raw(int descriptor, void* into, std::size_t size) noexcept {
  return ::read(descriptor, into, size);
}

std::ptrdiff_t read_raw_at(int descriptor, void* into, std::size_t size, std::uint64_t offset) noexcept {
  return ::pread(descriptor, into, size, static_cast<off_t>(offset));
}

std::string_view map_raw(int descriptor, std::size_t size, map_how how) noexcept {
  const int flags = (how.shared ? MAP_SHARED : MAP_PRIVATE) | (how.populate ? MAP_POPULATE : 0);
  void* const start = mmap(nullptr, size, PROT_READ, flags, descriptor, 0);
  if (start == MAP_FAILED) return {};
  if (how.hints == map_hints::joined) madvise(start, size, MADV_SEQUENTIAL | MADV_WILLNEED);
  if (how.hints == map_hints::sequential_then_willneed) {
    madvise(start, size, MADV_SEQUENTIAL);
    madvise(start, size, MADV_WILLNEED);
  }
  return {static_cast<const char*>(start), size};
}

void unmap_raw(std::string_view bytes) noexcept {
  munmap(const_cast<char*>(bytes.data()), bytes.size());
}

}  // namespace riffle::os
