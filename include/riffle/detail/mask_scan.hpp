/// Finds the matches in memory by one mask at a time, made in the caller's code, in few enough words for an
/// iterator.
#pragma once

#include <riffle/byte_set.hpp>
#include <riffle/export.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace riffle::inline v0::detail {

/// Returns the number of zeros below the lowest bit of a mask, which must not be 0. With `std::countr_zero`
/// clang 16 tests each mask for 0 once more: 13 % more instructions for words, 12 % for lines of 10 bytes
/// (docs/tried.md).
inline std::size_t lowest_bit(std::uint64_t mask) noexcept {
  return static_cast<std::size_t>(__builtin_ctzll(mask));
}

/// Returns the `T` in the bytes at `data`, the first byte lowest.
template <class T>
[[gnu::always_inline]] inline std::uint64_t little_endian(const char* data) noexcept {
  T value;
  std::memcpy(&value, data, sizeof value);
  std::uint64_t bits = value;
  if constexpr (std::endian::native == std::endian::big) {
    bits = __builtin_bswap64(bits) >> (64 - 8 * sizeof value);
  }
  return bits;
}

/// Holds 16 bytes in two words, or marks: the top bit of each byte that matches.
class word_bytes {
 public:
  explicit word_bytes(const char* data) noexcept
      : low_(little_endian<std::uint64_t>(data)), high_(little_endian<std::uint64_t>(data + 8)) {}
  word_bytes(std::uint64_t low, std::uint64_t high) noexcept : low_(low), high_(high) {}

  word_bytes equal(char byte) const noexcept {
    const std::uint64_t other = static_cast<unsigned char>(byte) * ones;
    return {zeros(low_ ^ other), zeros(high_ ^ other)};
  }
  word_bytes white_space() const noexcept { return between('\t', '\r') | equal(' '); }
  /// Marks the bytes from `first` to `last`, both of ASCII or both not.
  word_bytes between(char first, char last) const noexcept {
    return {range(low_, first, last), range(high_, first, last)};
  }
  friend word_bytes operator|(const word_bytes& a, const word_bytes& b) noexcept {
    return {a.low_ | b.low_, a.high_ | b.high_};
  }
  /// Returns the mask of the marks: bit i for byte i.
  std::uint64_t mask() const noexcept { return gathered(low_) | gathered(high_) << 8U; }

 private:
  static constexpr std::uint64_t ones = 0x0101010101010101;
  static constexpr std::uint64_t tops = ones << 7U;

  // Marks each byte that is 0; the sum of the low 7 bits does not carry into the next byte.
  static std::uint64_t zeros(std::uint64_t word) noexcept {
    return ~(((word & ~tops) + ~tops) | word) & tops;
  }
  static std::uint64_t range(std::uint64_t word, char first, char last) noexcept {
    // A sum has the top bit of a byte if its low 7 bits are at least those of `first`, or above those of
    // `last`.
    const std::uint64_t low = word & ~tops;
    const std::uint64_t from = (low + (0x80U - (static_cast<unsigned char>(first) & 0x7FU)) * ones);
    const std::uint64_t past = (low + (0x7FU - (static_cast<unsigned char>(last) & 0x7FU)) * ones);
    return from & ~past & (static_cast<unsigned char>(first) < 0x80 ? ~word : word) & tops;
  }
  // The product has the mark of byte i at bit 56 + i.
  static std::uint64_t gathered(std::uint64_t marks) noexcept {
    return (marks >> 7U) * 0x0102040810204080 >> 56U;
  }

  std::uint64_t low_;
  std::uint64_t high_;
};

#if defined(__SSE2__)
/// Holds the same in a vector that every x86-64 processor has, by the vectors of the compiler: <emmintrin.h>
/// is longer than this library's headers.
class vector_bytes {
 public:
  [[gnu::always_inline]] explicit vector_bytes(const char* data) noexcept {
    std::memcpy(&bytes_, data, sizeof bytes_);
  }
  [[gnu::always_inline]] vector_bytes(std::uint64_t low, std::uint64_t high) noexcept {
    const std::uint64_t both[] = {low, high};
    std::memcpy(&bytes_, both, sizeof bytes_);
  }

  [[gnu::always_inline]] vector_bytes equal(char byte) const noexcept {
    return vector_bytes(bytes_ == all(byte));
  }
  [[gnu::always_inline]] vector_bytes white_space() const noexcept {
    return vector_bytes((bytes_ - all('\t') <= all('\r' - '\t')) | (bytes_ == all(' ')));
  }
  [[gnu::always_inline]] vector_bytes between(char first, char last) const noexcept {
    return vector_bytes(bytes_ - all(first) <= all(static_cast<char>(last - first)));
  }
  [[gnu::always_inline]] friend vector_bytes operator|(vector_bytes a, vector_bytes b) noexcept {
    return vector_bytes(a.bytes_ | b.bytes_);
  }
  [[gnu::always_inline]] std::uint64_t mask() const noexcept {
    return static_cast<unsigned>(__builtin_ia32_pmovmskb128(reinterpret_cast<signed_bytes>(bytes_)));
  }

 private:
  using vector [[gnu::vector_size(16)]] = unsigned char;
  using signed_bytes [[gnu::vector_size(16)]] = char;

  template <class Marks>
  [[gnu::always_inline]] explicit vector_bytes(Marks marks) noexcept
      : bytes_(reinterpret_cast<vector>(marks)) {}
  [[gnu::always_inline]] static vector all(char byte) noexcept {
    return vector{} + static_cast<unsigned char>(byte);
  }

  vector bytes_;
};
using inline_bytes = vector_bytes;
#else
using inline_bytes = word_bytes;
#endif

/// Returns the mask of `size` bytes, at most 15. Loads overlap instead of reading outside the bytes.
template <class Bytes, class Match>
std::uint64_t short_mask(const char* data, std::size_t size, Match match) noexcept {
  if (size >= 8) {
    const std::size_t last = size - 8;
    const Bytes both(little_endian<std::uint64_t>(data), little_endian<std::uint64_t>(data + last));
    const std::uint64_t mask = match(both).mask();
    return (mask & 0xFFU) | mask >> 8U << last;
  }
  if (size >= 4) {
    const std::size_t last = size - 4;
    const Bytes both(little_endian<std::uint32_t>(data) | little_endian<std::uint32_t>(data + last) << 32U,
                     0);
    const std::uint64_t mask = match(both).mask();
    return (mask & 0xFU) | (mask >> 4U & 0xFU) << last;
  }
  if (size == 0) return 0;
  const std::size_t middle = size / 2;
  const auto byte = [data](std::size_t i) { return std::uint64_t{static_cast<unsigned char>(data[i])}; };
  const Bytes three(byte(0) | byte(middle) << 8U | byte(size - 1) << 16U, 0);
  const std::uint64_t mask = match(three).mask();
  return (mask & 1U) | (mask >> 1U & 1U) << middle | (mask >> 2U & 1U) << (size - 1);
}

/// Returns the mask of the 64 bytes at `data`.
template <class Bytes = inline_bytes, class Match>
[[gnu::always_inline]] inline std::uint64_t full_mask(const char* data, Match match) noexcept {
  return match(Bytes(data)).mask() | match(Bytes(data + 16)).mask() << 16U |
         match(Bytes(data + 32)).mask() << 32U | match(Bytes(data + 48)).mask() << 48U;
}

/// Returns the lesser of two sizes; <algorithm> is longer than this library's headers.
constexpr std::size_t lesser(std::size_t a, std::size_t b) noexcept {
  return a < b ? a : b;
}

/// Returns the mask of the `size` bytes at `data`, or of the first 64 if there are more: bit i for data[i].
/// `match` turns 16 bytes into marks.
template <class Bytes = inline_bytes, class Match>
std::uint64_t inline_mask(const char* data, std::size_t size, Match match) noexcept {
  if (size < 16) return short_mask<Bytes>(data, size, match);
  // The four loads overlap if there are fewer than 64 bytes. Branches on the size would be mispredicted.
  const std::size_t last = lesser(size, 64) - 16;
  const std::size_t second = lesser(last, 16);
  const std::size_t third = lesser(last, 32);
  return match(Bytes(data)).mask() | match(Bytes(data + second)).mask() << second |
         match(Bytes(data + third)).mask() << third | match(Bytes(data + last)).mask() << last;
}

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
  bool white;         // whether the set is `word_separators`
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
