/// What the published programs open files with. It closes them and turns each failed call into an error, so
/// that the code of a contender is its reading alone.
#pragma once

#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <riffle/error.hpp>
#include <span>
#include <string_view>

#include "os/file.hpp"
#include "os/mapping.hpp"

namespace riffle::bench {

/// Throws a riffle::error for input that ends inside an array or a value, or has an impossible length in it.
[[noreturn]] inline void fail_on_format(const std::filesystem::path& path, std::uint64_t offset) {
  throw error(errc::partial_value, "read", path.string(), offset);
}

/// Returns the size of a file that is to stand in memory as a whole.
inline std::size_t size_of(const os::file& file) {
  const std::uint64_t size = file.status().size;
  if (size > std::numeric_limits<std::ptrdiff_t>::max()) os::fail("map", file.name(), {}, ENOMEM);  // 32 bits
  return static_cast<std::size_t>(size);
}

/// Calls read(2) until `into` is full or the file ends. Returns the bytes read.
inline std::size_t read_full(const os::file& file, std::span<char> into) {
  std::size_t filled = 0;
  for (std::size_t count = 1; count != 0 && filled < into.size(); filled += count)
    count = file.read(into.subspan(filled), filled);
  return filled;
}

/// A FILE opened for reading, with its own buffer of `buffer_size` bytes, if that is not 0.
class stdio_file {
 public:
  explicit stdio_file(const std::filesystem::path& path, std::size_t buffer_size = 0)
      : path_(path),
        buffer_(buffer_size == 0 ? nullptr : std::make_unique_for_overwrite<char[]>(buffer_size)),
        file_(std::fopen(path.c_str(), "rbe")) {
    if (file_ == nullptr) os::fail("open", path.string());
    if (buffer_size != 0) std::setvbuf(file_, buffer_.get(), _IOFBF, buffer_size);
  }
  stdio_file(const stdio_file&) = delete;
  stdio_file& operator=(const stdio_file&) = delete;
  ~stdio_file() { std::fclose(file_); }

  [[nodiscard]] std::FILE* get() const noexcept { return file_; }
  /// Call it at the end. Throws if an error ended the reading.
  void check() const {
    if (std::ferror(file_) != 0) os::fail("read", path_.string());
  }

 private:
  const std::filesystem::path& path_;
  std::unique_ptr<char[]> buffer_;  // not zeroed, which would cost; it must outlive the FILE that uses it
  std::FILE* file_;
};

/// Opens `path` and throws if that fails.
inline std::ifstream open_ifstream(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) os::fail("open", path.string());
  return in;
}

/// Call it at the end. Throws if an error ended the reading.
inline void check(const std::istream& in, const std::filesystem::path& path) {
  if (in.bad()) os::fail("read", path.string());
}

/// The madvise hints for a mapping. `joined`: as program 2 does, SEQUENTIAL | WILLNEED in one
/// call; advices are numbers, not bits, and that one is WILLNEED alone.
enum class map_hints : std::uint8_t { none, sequential_then_willneed, joined };

/// A whole file mapped read-only. An empty file is an empty view. Under the fault guard, which costs about as
/// much as one more system call: a file that shrinks reads as zeros, which the check of answers sees, and
/// does not end the benchmark.
class whole_mapping {
 public:
  explicit whole_mapping(const std::filesystem::path& path, int flags = MAP_PRIVATE,
                         map_hints hints = map_hints::none) {
    const os::file file = os::file::open(path);
    const std::size_t size = size_of(file);
    if (size == 0) return;  // mmap refuses a length of 0
    void* const start = mmap(nullptr, size, PROT_READ, flags, file.descriptor(), 0);
    if (start == MAP_FAILED) os::fail("map", file.name());
    if (hints == map_hints::joined) madvise(start, size, MADV_SEQUENTIAL | MADV_WILLNEED);
    if (hints == map_hints::sequential_then_willneed) {
      madvise(start, size, MADV_SEQUENTIAL);
      madvise(start, size, MADV_WILLNEED);
    }
    bytes_ = {static_cast<char*>(start), size};
    pages_ = {static_cast<char*>(start), os::whole_pages(size).value()};
    guard_ = os::guarded_range(pages_.span(), false);
  }

  [[nodiscard]] std::string_view bytes() const noexcept { return bytes_; }

 private:
  std::string_view bytes_;
  os::mapped_pages pages_;
  os::guarded_range guard_;  // last: it goes before another mapping takes the addresses
};

}  // namespace riffle::bench
