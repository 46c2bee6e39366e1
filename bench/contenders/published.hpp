/// What the published programs share, compiled into each contender, so that every compiler sees the whole of
/// it: how they open files, and their plain loops over bytes in memory.
#pragma once

#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <riffle/error.hpp>
#include <span>
#include <string_view>

#include "bench/data/report.hpp"
#include "os/file.hpp"
#include "os/mapping.hpp"

namespace riffle::bench {

// ---- files: each is closed, and each failed call an error, so that the code of a contender is its reading
// alone

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

// ---- loops, as the programs' authors would have written them

/// C, c, G and g are the bytes that equal 0x43 once bits 2 and 5 are cleared: one AND and one compare.
inline bool is_gc(char byte) noexcept {
  return (static_cast<unsigned char>(byte) & 0xDBU) == 0x43U;
}

inline std::uint64_t count_gc(std::string_view bytes) noexcept {
  std::uint64_t count = 0;
  for (const char byte : bytes) count += is_gc(byte) ? 1U : 0U;
  return count;
}

/// isspace of the C locale, without its call or its table.
inline bool is_white(char byte) noexcept {
  return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/// Counts word starts, remembering between two calls whether the last byte belonged to a word.
class word_counter {
 public:
  void add(char byte) noexcept {
    const bool in_word = !is_white(byte);
    count_ += in_word && !in_word_ ? 1U : 0U;
    in_word_ = in_word;
  }
  void add(std::string_view bytes) noexcept {
    for (const char byte : bytes) add(byte);
  }
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

 private:
  std::uint64_t count_ = 0;
  bool in_word_ = false;
};

/// Calls `use` with each line of `bytes`, without its newline, found by memchr.
template <class Use>
void each_line_by_memchr(std::string_view bytes, Use use) {
  const char* at = bytes.data();
  const char* const end = at + bytes.size();
  while (at != end) {
    const auto left = static_cast<std::size_t>(end - at);
    const char* newline = static_cast<const char*>(std::memchr(at, '\n', left));
    if (newline == nullptr) newline = end;
    use(std::string_view(at, static_cast<std::size_t>(newline - at)));
    at = newline == end ? end : newline + 1;
  }
}

/// The answer of the tasks gc, lines and words over text that comes in pieces.
class tally {
 public:
  explicit tally(task which) : which_(which) {}

  void add(std::string_view bytes) {
    if (bytes.empty()) return;
    if (which_ == task::gc) {
      total_.count += count_gc(bytes);
    } else if (which_ == task::words) {
      words_.add(bytes);
    } else {
      const std::uint64_t lines = open_ ? 1 : 0;
      each_line_by_memchr(bytes, [this](std::string_view line) { total_ += {1, line.size()}; });
      total_.count -= lines;
      open_ = bytes.back() != '\n';
    }
  }
  [[nodiscard]] answer result() const { return which_ == task::words ? answer{words_.count(), 0} : total_; }

 private:
  task which_;
  answer total_;
  word_counter words_;
  bool open_ = false;  // the last piece ended inside a line
};

/// The answer of a task of text by `each_block(path, use)`, which calls use(std::string_view) with the bytes
/// from the first to the last.
template <task which, auto each_block>
answer by_blocks(const std::filesystem::path& path) {
  tally all(which);
  each_block(path, [&](std::string_view block) { all.add(block); });
  return all.result();
}

/// Lemire's weighing of one array: even elements once, odd ones twice.
inline std::uint64_t weigh(std::span<const std::int32_t> array) noexcept {
  std::int64_t sum = 0;
  std::size_t i = 0;
  for (; i + 1 < array.size(); i += 2) sum += array[i] + 2 * std::int64_t{array[i + 1]};
  if (i < array.size()) sum += array[i];
  return static_cast<std::uint64_t>(sum);
}

}  // namespace riffle::bench
