/// Files, descriptors and pipes that go with their objects. The fuzz targets and riffle-torture use them too.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "tests/support/system.hpp"

namespace riffle::test {

/// A directory that goes with the object, and all in it.
class temporary_directory : not_copied {
 public:
  temporary_directory() {
    std::random_device random;
    do path_ = std::filesystem::temp_directory_path() / ("riffle-test-" + std::to_string(random()));
    while (!std::filesystem::create_directory(path_));
  }
  ~temporary_directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// The bytes of a file; none if it cannot be read.
inline std::string contents_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A file with the given bytes, in a directory of its own.
class temporary_file {
 public:
  explicit temporary_file(std::string_view bytes = {}) : path_(directory_.path() / "file") { write(bytes); }
  const std::filesystem::path& path() const { return path_; }
  void write(std::string_view bytes, std::ios::openmode mode = std::ios::trunc) const {
    std::ofstream out(path_, std::ios::binary | std::ios::out | mode);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!out.flush()) throw std::system_error(EIO, std::generic_category(), path_.string());
  }
  void append(std::string_view bytes) const { write(bytes, std::ios::app); }
  std::string contents() const { return contents_of(path_); }
  void resize(std::uint64_t size) const { std::filesystem::resize_file(path_, size); }

 private:
  temporary_directory directory_;
  std::filesystem::path path_;
};

/// A descriptor that is closed with the object.
class owned_descriptor {
 public:
  explicit owned_descriptor(int descriptor) : descriptor_(descriptor) {
    if (descriptor < 0) throw std::system_error(errno, std::generic_category(), "open");
  }
  owned_descriptor(owned_descriptor&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  owned_descriptor& operator=(owned_descriptor&&) = delete;
  ~owned_descriptor() { close(); }
  int get() const { return descriptor_; }
  void close() {
    if (descriptor_ >= 0) close_descriptor(std::exchange(descriptor_, -1));
  }

 private:
  int descriptor_;
};

/// Opens a file to read it from an offset. Throws std::system_error.
inline owned_descriptor open_at(const std::filesystem::path& path, std::uint64_t offset = 0) {
  owned_descriptor opened(open_to_read(path));
  if (move_to(opened.get(), static_cast<std::int64_t>(offset)) != static_cast<std::int64_t>(offset))
    throw std::system_error(errno, std::generic_category(), "seek");
  return opened;
}

/// A stream of the C library. `open_stdio` throws std::system_error.
using stdio_file = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
inline stdio_file open_stdio(const std::filesystem::path& path, const char* mode = "rb") {
  stdio_file opened(std::fopen(path.string().c_str(), mode), std::fclose);
  if (opened == nullptr) throw std::system_error(errno, std::generic_category(), "fopen");
  return opened;
}

/// Writes all of `bytes`, at most `piece` at a time, yielding in between: a slow writer without a clock.
inline void write_slowly(int descriptor, std::string_view bytes, std::size_t piece) {
  while (!bytes.empty()) {
    const std::ptrdiff_t count = write_some(descriptor, bytes.substr(0, piece));
    if (count < 0) return;  // the reader has gone
    bytes.remove_prefix(static_cast<std::size_t>(count));
    std::this_thread::yield();
  }
}

/// Both ends of a pipe, or of something like it.
struct open_pipe {
  explicit open_pipe(std::pair<int, int> ends = make_pipe()) : reading(ends.first), writing(ends.second) {}

  owned_descriptor reading;
  owned_descriptor writing;
};

/// The reading end of a pipe, or of other ends, that a thread feeds piece by piece.
class fed_pipe : not_copied {
 public:
  explicit fed_pipe(std::string bytes, std::size_t piece = 4096, std::pair<int, int> ends = make_pipe())
      : ends_(ends), writer_([this, bytes = std::move(bytes), piece] {
          write_slowly(ends_.writing.get(), bytes, piece);
          ends_.writing.close();
        }) {}
  ~fed_pipe() {
    ends_.reading.close();  // or a writer that no one reads from would wait for ever
  }
  int get() const { return ends_.reading.get(); }

 private:
  open_pipe ends_;
  std::jthread writer_;
};

}  // namespace riffle::test
