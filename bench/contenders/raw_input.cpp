/// Opening, closing and error checks of the hand-written contenders.
#include "bench/contenders/raw_input.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <riffle/error.hpp>

#include "os/mapping.hpp"

namespace riffle::bench {

[[noreturn]] void fail_with_errno(std::string_view operation, const std::filesystem::path& path) {
  throw error({errno, std::generic_category()}, operation, path.string());
}

[[noreturn]] void fail_on_format(const std::filesystem::path& path, std::uint64_t offset) {
  throw error(errc::partial_value, "read", path.string(), offset);
}

descriptor::descriptor(const std::filesystem::path& path)
    : path_(path), number_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (number_ < 0) fail_with_errno("open", path);
}

descriptor::~descriptor() {
  ::close(number_);
}

std::size_t descriptor::size() const {
  struct stat facts{};
  if (fstat(number_, &facts) != 0) fail_with_errno("examine", path_);
  if (facts.st_size > std::numeric_limits<std::ptrdiff_t>::max()) {  // in 32 bits
    errno = ENOMEM;
    fail_with_errno("map", path_);
  }
  return static_cast<std::size_t>(facts.st_size);
}

std::size_t descriptor::read(void* into, std::size_t size) const {
  while (true) {
    const std::ptrdiff_t count = ::read(number_, into, size);
    if (count >= 0) return static_cast<std::size_t>(count);
    if (errno != EINTR) fail_with_errno("read", path_);
  }
}

std::size_t descriptor::read_full(void* into, std::size_t size) const {
  std::size_t filled = 0;
  while (filled < size) {
    const std::size_t count = read(static_cast<char*>(into) + filled, size - filled);
    if (count == 0) break;
    filled += count;
  }
  return filled;
}

stdio_file::stdio_file(const std::filesystem::path& path, std::size_t buffer_size)
    : path_(path),
      buffer_(buffer_size == 0 ? nullptr : std::make_unique_for_overwrite<char[]>(buffer_size)),
      file_(std::fopen(path.c_str(), "rbe")) {
  if (file_ == nullptr) fail_with_errno("open", path);
  if (buffer_size != 0) std::setvbuf(file_, buffer_.get(), _IOFBF, buffer_size);
}

stdio_file::~stdio_file() {
  std::fclose(file_);
}

void stdio_file::check() const {
  if (std::ferror(file_) != 0) fail_with_errno("read", path_);
}

std::ifstream open_ifstream(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) fail_with_errno("open", path);
  return in;
}

void check(const std::istream& in, const std::filesystem::path& path) {
  if (in.bad()) fail_with_errno("read", path);
}

whole_mapping::whole_mapping(const std::filesystem::path& path, map_how how) {
  const descriptor file(path);
  size_ = file.size();
  if (size_ == 0) return;  // mmap refuses a length of 0
  const int flags = (how.shared ? MAP_SHARED : MAP_PRIVATE) | (how.populate ? MAP_POPULATE : 0);
  void* const start = mmap(nullptr, size_, PROT_READ, flags, file.number(), 0);
  if (start == MAP_FAILED) fail_with_errno("map", path);
  if (how.hints == map_hints::joined) madvise(start, size_, MADV_SEQUENTIAL | MADV_WILLNEED);
  if (how.hints == map_hints::sequential_then_willneed) {
    madvise(start, size_, MADV_SEQUENTIAL);
    madvise(start, size_, MADV_WILLNEED);
  }
  data_ = static_cast<const char*>(start);
  guard_ = os::guarded_range({const_cast<char*>(data_), os::whole_pages(size_).value()}, false);
}

whole_mapping::~whole_mapping() {
  guard_ = {};  // before another mapping takes the addresses
  if (size_ != 0) munmap(const_cast<char*>(data_), size_);
}

}  // namespace riffle::bench
