/// The SIMD kernels over bytes that are already in memory. They do no I/O and allocate nothing; the best one
/// for this processor is chosen when first called. Sums are in sum.hpp.
#ifndef RIFFLE_SCAN_HPP
#define RIFFLE_SCAN_HPP

#include <riffle/export.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace riffle {

/// Any set of byte values, as 256 bits. `constexpr riffle::byte_set gc("cCgG");`
class byte_set {
 public:
  constexpr byte_set() = default;
  /// The bytes that occur in `members`, NUL included.
  constexpr explicit byte_set(std::string_view members) {
    for (const char member : members) add(member);
  }
  constexpr void add(char byte) noexcept { words_[index(byte)] |= bit(byte); }
  [[nodiscard]] constexpr bool contains(char byte) const noexcept {
    return (words_[index(byte)] & bit(byte)) != 0;
  }
  /// The 256 bits: byte b is a member when bit b % 64 of word b / 64 is set. Valid as long as the set.
  [[nodiscard]] constexpr const std::array<std::uint64_t, 4>& words() const noexcept { return words_; }
  friend constexpr bool operator==(const byte_set&, const byte_set&) = default;

 private:
  static constexpr std::size_t index(char byte) noexcept { return static_cast<unsigned char>(byte) / 64U; }
  static constexpr std::uint64_t bit(char byte) noexcept {
    return std::uint64_t{1} << (static_cast<unsigned char>(byte) % 64U);
  }
  std::array<std::uint64_t, 4> words_{};
};

/// White space in the C locale: tab, newline, vertical tab, form feed, carriage return, space.
inline constexpr byte_set white_space{"\t\n\v\f\r "};

// All functions below look at each byte once, never outside the view, and accept an empty view (its data may
// be null). They throw only one thing, and only the first time: `riffle::error` (errc::invalid_argument),
// when the environment variable RIFFLE_KERNEL names a kernel that this processor cannot run.

/// How often `byte` occurs in `data`.
[[nodiscard]] RIFFLE_API std::uint64_t count_byte(std::string_view data, char byte);

/// How many newlines ('\n') there are in `data`, which is what `wc -l` calls lines.
[[nodiscard]] inline std::uint64_t count_lines(std::string_view data) {
  return count_byte(data, '\n');
}

/// How many bytes of `data` are members of `set`.
[[nodiscard]] RIFFLE_API std::uint64_t count_any_of(std::string_view data, const byte_set& set);

/// How many bytes of `data` occur in `set`: `count_any_of(genome, "cCgG")`.
[[nodiscard]] inline std::uint64_t count_any_of(std::string_view data, std::string_view set) {
  return count_any_of(data, byte_set(set));
}

/// How many words (runs of bytes that are not white space) start in `data`. `in_word`: the byte before `data`
/// belongs to a word, so that a word which goes on at the start of `data` is not counted again.
[[nodiscard]] RIFFLE_API std::uint64_t count_words(std::string_view data, bool in_word = false);

/// How many UTF-8 characters start in `data`: its bytes but for the continuation bytes 0x80 to 0xBF. Exact
/// for valid UTF-8; `data` may be cut anywhere, inside a character too.
[[nodiscard]] RIFFLE_API std::uint64_t count_utf8(std::string_view data);

/// How many 64-bit masks `size` bytes have.
[[nodiscard]] constexpr std::size_t mask_words(std::size_t size) noexcept {
  return size / 64 + (size % 64 != 0 ? 1 : 0);
}

/// Sets bit i % 64 of masks[i / 64] where data[i] is `byte`, and clears the others of mask_words(data.size())
/// words; words behind those are left alone. Meant for batches of some KiB: one call, then a loop over bits.
///
/// `masks` holds at least mask_words(data.size()) words; with
/// fewer, only the bytes that it has bits for are looked at.
RIFFLE_API void match_byte(std::string_view data, char byte, std::span<std::uint64_t> masks);

/// As `match_byte`, where data[i] is a member of `set`.
RIFFLE_API void match_any_of(std::string_view data, const byte_set& set, std::span<std::uint64_t> masks);

}  // namespace riffle

#endif
