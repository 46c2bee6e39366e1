/// Three owners of open files for the published programs. They close the files and turn each failed call into
/// an error, so that the code of a contender is its reading alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "os/fault_guard.hpp"

namespace riffle::bench {

/// Throws a riffle::error with errno: "cannot `operation` 'path': ...".
[[noreturn]] void fail_with_errno(std::string_view operation, const std::filesystem::path& path);
/// Throws a riffle::error for input that ends inside an array or a value, or has an impossible length in it.
[[noreturn]] void fail_on_format(const std::filesystem::path& path, std::uint64_t offset);

/// A descriptor opened for reading.
class descriptor {
 public:
  explicit descriptor(const std::filesystem::path& path);
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor();

  [[nodiscard]] int number() const noexcept { return number_; }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
  [[nodiscard]] std::size_t size() const;
  /// One read(2), again if interrupted. Returns the bytes read, perhaps fewer than asked for; 0: the end.
  std::size_t read(void* into, std::size_t size) const;
  /// Reads until `into` is full or the file ends. Returns the bytes read.
  std::size_t read_full(void* into, std::size_t size) const;

 private:
  const std::filesystem::path& path_;
  int number_;
};

/// A FILE opened for reading, with its own buffer of `buffer_size` bytes, if that is not 0.
class stdio_file {
 public:
  explicit stdio_file(const std::filesystem::path& path, std::size_t buffer_size = 0);
  stdio_file(const stdio_file&) = delete;
  stdio_file& operator=(const stdio_file&) = delete;
  ~stdio_file();

  [[nodiscard]] std::FILE* get() const noexcept { return file_; }
  /// Call it at the end. Throws if an error ended the reading.
  void check() const;

 private:
  const std::filesystem::path& path_;
  std::unique_ptr<char[]>
      buffer_;  // not zeroed, which would cost; declared before file_: it must outlive the FILE that uses it
  std::FILE* file_;
};

/// Opens `path` and throws if that fails.
std::ifstream open_ifstream(const std::filesystem::path& path);
/// Call it at the end. Throws if an error ended the reading.
void check(const std::istream& in, const std::filesystem::path& path);

/// The madvise hints for a mapping. `joined`: as program 2 does, SEQUENTIAL | WILLNEED in one
/// call; advices are numbers, not bits, and that one is WILLNEED alone.
enum class map_hints : std::uint8_t { none, sequential_then_willneed, joined };

/// How a whole file is mapped: MAP_SHARED or MAP_PRIVATE, with MAP_POPULATE, and the hints.
struct map_how {
  bool shared = false;
  bool populate = false;
  map_hints hints = map_hints::none;
};

inline constexpr map_how map_plain{};
inline constexpr map_how map_shared{.shared = true};
inline constexpr map_how map_advised{.hints = map_hints::sequential_then_willneed};
inline constexpr map_how map_advised_shared{.shared = true, .hints = map_hints::sequential_then_willneed};
inline constexpr map_how map_populated{.populate = true};
inline constexpr map_how map_joined_hints{.populate = true, .hints = map_hints::joined};

/// A whole file mapped read-only. An empty file is an empty view. Under the fault guard, which costs about as
/// much as one more system call: a file that shrinks reads as zeros, which the check of answers sees, and
/// does not end the benchmark.
class whole_mapping {
 public:
  explicit whole_mapping(const std::filesystem::path& path, map_how how = {});
  whole_mapping(const whole_mapping&) = delete;
  whole_mapping& operator=(const whole_mapping&) = delete;
  ~whole_mapping();

  [[nodiscard]] std::string_view bytes() const noexcept { return {data_, size_}; }
  [[nodiscard]] const char* begin() const noexcept { return data_; }
  [[nodiscard]] const char* end() const noexcept { return data_ + size_; }

 private:
  const char* data_ = "";
  std::size_t size_ = 0;
  os::guarded_range guard_;
};

}  // namespace riffle::bench
