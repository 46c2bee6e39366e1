/// Offers functions that count and search bytes in memory, by the best SIMD kernel of this processor.
#pragma once

#include <riffle/byte_set.hpp>
#include <riffle/detail/mask_scan.hpp>
#include <riffle/export.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace riffle::inline v0 {

namespace detail {

/// Returns the number of 64-bit masks for `size` bytes.
[[nodiscard]] constexpr std::size_t mask_words(std::size_t size) noexcept {
  return size / 64 + (size % 64 != 0 ? 1 : 0);
}

}  // namespace detail

/// Holds functions over bytes in memory that are called through the SIMD kernel in use. riffle chooses it at
/// the first call: the best one, or the one that the environment variable RIFFLE_KERNEL names. If this
/// processor cannot run that one, these functions use the best one, and `riffle::kernels` throws.
///
/// None reads outside the view, throws or allocates. Each accepts an empty view, whose data may be null.
/// Thread safety: any number of threads may call them at once.
namespace scan {

/// Returns the number of times that `byte` occurs in `data`.
[[nodiscard]] RIFFLE_API std::uint64_t count_byte(std::string_view data, char byte) noexcept;

/// Returns the number of newlines ('\n') in `data`, which `wc -l` calls lines.
[[nodiscard]] inline std::uint64_t count_lines(std::string_view data) noexcept {
  return count_byte(data, '\n');
}

/// Returns the number of bytes of `data` that are members of `set`: `count_any_of(genome, "cCgG")`.
[[nodiscard]] RIFFLE_API std::uint64_t count_any_of(std::string_view data, const byte_set& set) noexcept;

/// Returns the number of words (runs of bytes that are not white space) that start in `data`. If `in_word` is
/// true, the byte before `data` belongs to a word, and the rest of that word is not counted again.
[[nodiscard]] RIFFLE_API std::uint64_t count_words(std::string_view data, bool in_word = false) noexcept;

/// Returns the number of UTF-8 characters that start in `data`: its bytes except the continuation bytes 0x80
/// to 0xBF. It is exact for valid UTF-8; `data` may start or end inside a character.
[[nodiscard]] RIFFLE_API std::uint64_t count_utf8(std::string_view data) noexcept;

/// Returns the position of the first `text` in `data` at or after `from`; `std::string_view::npos` if there
/// is none. Bytes are compared as bytes: either may hold NUL bytes and invalid UTF-8. An empty text stands at
/// each position up to the size of `data`.
///
/// It compares two bytes of the text at 64 positions at once, and the rest where both are found. If they are
/// found almost everywhere, as in a text of a thousand equal bytes, it takes the time of comparing the whole
/// text at each position. It does not allocate or throw. Thread safety: any number of threads may call it.
[[nodiscard]] RIFFLE_API std::size_t find(std::string_view data, std::string_view text,
                                          std::size_t from = 0) noexcept;

/// Returns the position of the first `byte` in `data` at or after `from`; `std::string_view::npos`
/// if there is none.
[[nodiscard]] RIFFLE_API std::size_t find_byte(std::string_view data, char byte,
                                               std::size_t from = 0) noexcept;

/// Returns the position of the first member of `set` in `data` at or after `from`; `std::string_view::npos`
/// if there is none.
[[nodiscard]] RIFFLE_API std::size_t find_any_of(std::string_view data, const byte_set& set,
                                                 std::size_t from = 0) noexcept;

/// Returns the position of the first byte in `data` that is not part of valid UTF-8: the start of the
/// character that is invalid or cut short by the end. `std::string_view::npos` if all of `data` is valid.
/// Surrogates, numbers above U+10FFFF and forms longer than needed are invalid (The Unicode Standard, table
/// 3-7).
[[nodiscard]] RIFFLE_API std::size_t find_invalid_utf8(std::string_view data) noexcept;

/// Holds a character of UTF-8.
struct character {
  char32_t value = 0;    ///< its code point
  std::size_t size = 0;  ///< in bytes
};

/// Returns the character that `data` starts with, which has 1 to 4 bytes. Its size is 0 if there is no valid
/// one, by the rules of `find_invalid_utf8`.
[[nodiscard]] inline character decode_utf8(std::string_view data) noexcept {
  std::uint32_t bytes = 0;
  if (data.size() >= 4) {
    bytes = static_cast<std::uint32_t>(detail::little_endian<std::uint32_t>(data.data()));
  } else {  // zeros continue no character
    for (std::size_t i = data.size(); i-- != 0;) bytes = bytes << 8U | static_cast<unsigned char>(data[i]);
  }
  const auto bits = [bytes](unsigned i) -> char32_t { return bytes >> 8U * i & 0x3FU; };
  if ((bytes & 0xC0C0F0U) == 0x8080E0U) {
    const char32_t value = (bytes & 0x0FU) << 12U | bits(1) << 6U | bits(2);
    if (value >= 0x800 && (value < 0xD800 || value > 0xDFFF)) return {value, 3};
  } else if ((bytes & 0xC0C0C0F8U) == 0x808080F0U) {
    const char32_t value = (bytes & 0x07U) << 18U | bits(1) << 12U | bits(2) << 6U | bits(3);
    if (value >= 0x10000 && value <= 0x10FFFF) return {value, 4};
  } else if ((bytes & 0xC0E0U) == 0x80C0U) {
    const char32_t value = (bytes & 0x1FU) << 6U | bits(1);
    if (value >= 0x80) return {value, 2};
  } else if ((bytes & 0x80U) == 0 && !data.empty()) {
    return {bytes & 0x7FU, 1};
  }
  return {};
}

/// Sets bit i % 64 of masks[i / 64] if data[i] is `byte`, and clears the other bits of the words that have a
/// bit for a byte of `data`. Words after those keep their values. Use it for batches of some KiB: one call,
/// then a loop over the bits.
///
/// `masks` should hold a word for each 64 bytes, and one for the rest. If it holds fewer, the function looks
/// only at the bytes that have a bit in them.
RIFFLE_API void match_byte(std::string_view data, char byte, std::span<std::uint64_t> masks) noexcept;

/// Sets the bits of the bytes that are members of `set`, as `match_byte` does for one byte.
RIFFLE_API void match_any_of(std::string_view data, const byte_set& set,
                             std::span<std::uint64_t> masks) noexcept;

}  // namespace scan

}  // namespace riffle::inline v0
