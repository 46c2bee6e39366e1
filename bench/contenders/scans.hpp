/// The plain loops over bytes in memory that the published programs share, as their authors would
/// have written them; compiled into each contender, so that every compiler sees the whole of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <span>
#include <string_view>

#include "bench/data/task.hpp"

namespace riffle::bench {

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
