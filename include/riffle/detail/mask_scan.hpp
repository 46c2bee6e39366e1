/// Finds the matches in memory by one mask at a time, in few enough words for an iterator that is copied.
#pragma once

#include <riffle/byte_set.hpp>
#include <riffle/detail/inline_mask.hpp>
#include <riffle/detail/lowest_bit.hpp>
#include <riffle/export.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace riffle::inline v0::detail {

/// Matches every delimiter.
struct mask_of_delimiter {
  char delimiter;
  /// Returns the mask of the `size` bytes at `data`, or of the first 64 if there are more.
  std::uint64_t operator()(const char* data, std::size_t size) const noexcept {
    return inline_mask(data, size, [wanted = delimiter](inline_bytes bytes) { return bytes.equal(wanted); });
  }
  /// Returns the mask of 64 bytes that are not the first of the memory.
  [[gnu::always_inline]] std::uint64_t next(const char* data) const noexcept {
    return full_mask(data, [wanted = delimiter](inline_bytes bytes) { return bytes.equal(wanted); });
  }
};

/// Tells the white space of the C locale.
struct any_white {
  static bool is(char byte) noexcept { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }
  [[gnu::always_inline]] static inline_bytes marks(inline_bytes bytes) noexcept {
    return bytes.white_space();
  }
};

/// Tells spaces and tabs.
struct blanks {
  static bool is(char byte) noexcept { return byte == ' ' || byte == '\t'; }
  [[gnu::always_inline]] static inline_bytes marks(inline_bytes bytes) noexcept {
    return bytes.equal(' ') | bytes.equal('\t');
  }
};

/// Returns the edges of words, given a bit for each byte of a word.
inline std::uint64_t edges(std::uint64_t word, bool in_word) noexcept {
  return word ^ (word << 1U | (in_word ? 1U : 0U));
}

/// Matches the first byte of each word, and the first byte after each word; the two alternate.
template <class White>
struct mask_of_edges {
  const char* begin;  // of the memory
  /// As for `mask_of_delimiter`.
  std::uint64_t operator()(const char* data, std::size_t size) const noexcept {
    const std::uint64_t white =
        inline_mask(data, size, [](inline_bytes bytes) { return White::marks(bytes); });
    const std::uint64_t all = edges(~white, data != begin && !White::is(data[-1]));
    return size < 64 ? all & ((std::uint64_t{1} << size) - 1) : all;
  }
  [[gnu::always_inline]] std::uint64_t next(const char* data) const noexcept {
    const std::uint64_t white = full_mask(data, [](inline_bytes bytes) { return White::marks(bytes); });
    return edges(~white, !White::is(data[-1]));
  }
};

/// Returns the mask of the members of a set among `size` bytes, at most 64.
// The set is a copy: an iterator whose address is taken lives in memory.
RIFFLE_API std::uint64_t mask_of_set(const char* data, std::size_t size, byte_set set) noexcept;

/// Matches the edges of words between the members of a set; and each newline, if `line_ends`.
template <bool line_ends>
struct mask_of_words {
  const char* begin;  // of the memory
  bool white;         // whether the set is `white_space`
  byte_set separators;
  /// As for `mask_of_delimiter`.
  std::uint64_t operator()(const char* data, std::size_t size) const noexcept {
    const std::uint64_t between =
        white ? inline_mask(data, size, [](inline_bytes bytes) { return any_white::marks(bytes); })
              : mask_of_set(data, lesser(size, 64), separators);
    std::uint64_t found = edges(~between, data != begin && !separators.contains(data[-1]));
    if (size < 64) found &= (std::uint64_t{1} << size) - 1;
    if constexpr (line_ends) found |= mask_of_delimiter{'\n'}(data, size);
    return found;
  }
  [[gnu::always_inline]] std::uint64_t next(const char* data) const noexcept {
    std::uint64_t found = 0;
    if (white) [[likely]] {
      found = mask_of_edges<any_white>{begin}.next(data);
    } else {
      found = edges(~mask_of_set(data, 64, separators), !separators.contains(data[-1]));
    }
    if constexpr (line_ends) found |= mask_of_delimiter{'\n'}.next(data);
    return found;
  }
};

/// Finds the bytes that a match such as `mask_of_delimiter` matches, in order. Each call takes the same
/// match.
class mask_scan {
 public:
  /// Finds nothing.
  mask_scan() = default;
  template <class Match>
  [[gnu::always_inline]] mask_scan(std::string_view memory, Match match) noexcept
      : mask_(part(memory.data(), memory.size(), match)),
        base_(memory.data()),
        end_(memory.data() + memory.size()) {}

  /// Sets `found` to the next byte that matches. Returns false if there is none.
  template <class Match>
  [[gnu::always_inline]] bool next(Match match, const char*& found) noexcept {
    while (mask_ == 0) {
      const std::ptrdiff_t left = end_ - base_;
      if (left <= 64) return false;
      base_ += 64;
      __builtin_prefetch(base_ + 4096);  // tuning
      if (left >= 128) [[likely]] {
        mask_ = match.next(base_);
      } else {
        mask_ = match.next(end_ - 64) >> (128 - left);  // begins at bytes that were seen
      }
    }
    found = base_ + lowest_bit(mask_);
    mask_ &= mask_ - 1;
    return true;
  }

  /// Returns the end of the memory.
  const char* end() const noexcept { return end_; }

 private:
  // Makes the first and the last mask. Inlined, it would make loops so large that clang calls the functions
  // of an iterator, and then the iterator lives in memory.
  template <class Match>
  [[gnu::noinline]] static std::uint64_t part(const char* data, std::size_t size, Match match) noexcept {
    return match(data, size);
  }

  std::uint64_t mask_ = 0;      // the matches left in the 64 bytes at `base_`
  const char* base_ = nullptr;  // at most `end_`
  const char* end_ = nullptr;
};

}  // namespace riffle::inline v0::detail
