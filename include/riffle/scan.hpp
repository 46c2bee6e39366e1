/// Counts and searches bytes that are in memory. The fastest SIMD kernel of this processor is chosen at the
/// first call. Sums are in sum.hpp; counts of a whole input are in count.hpp.
#ifndef RIFFLE_SCAN_HPP
#define RIFFLE_SCAN_HPP

#include <riffle/export.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace riffle::inline v0 {

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

/// The SIMD kernels. Each looks at a byte once, never outside the view, and accepts an empty view (its data
/// may be null). None throws or allocates. All may be called from several threads. If the environment
/// variable RIFFLE_KERNEL names a kernel that this processor cannot run, they use the best one;
/// `riffle::kernels` throws.
namespace scan {

/// Returns how often `byte` occurs in `data`.
[[nodiscard]] RIFFLE_API std::uint64_t count_byte(std::string_view data, char byte) noexcept;

/// Returns how many newlines ('\n') there are in `data`, which is what `wc -l` calls lines.
[[nodiscard]] inline std::uint64_t count_lines(std::string_view data) noexcept {
  return count_byte(data, '\n');
}

/// Returns how many bytes of `data` are members of `set`.
[[nodiscard]] RIFFLE_API std::uint64_t count_any_of(std::string_view data, const byte_set& set) noexcept;

/// Returns how many bytes of `data` occur in `set`: `count_any_of(genome, "cCgG")`.
[[nodiscard]] inline std::uint64_t count_any_of(std::string_view data, std::string_view set) noexcept {
  return count_any_of(data, byte_set(set));
}

/// Returns how many words (runs of bytes that are not white space) start in `data`. `in_word`: the byte
/// before `data` belongs to a word, so that a word which goes on at the start of `data` is not counted again.
[[nodiscard]] RIFFLE_API std::uint64_t count_words(std::string_view data, bool in_word = false) noexcept;

/// Returns how many UTF-8 characters start in `data`: its bytes except the continuation bytes 0x80 to 0xBF.
/// Exact for valid UTF-8; `data` may be cut anywhere, inside a character too.
[[nodiscard]] RIFFLE_API std::uint64_t count_utf8(std::string_view data) noexcept;

/// Returns the position of the first `byte` in `data` at or behind `from`; `std::string_view::npos` if there
/// is none.
[[nodiscard]] RIFFLE_API std::size_t find_byte(std::string_view data, char byte,
                                               std::size_t from = 0) noexcept;

/// Returns the position of the first member of `set` in `data` at or behind `from`; `std::string_view::npos`
/// if there is none.
[[nodiscard]] RIFFLE_API std::size_t find_any_of(std::string_view data, const byte_set& set,
                                                 std::size_t from = 0) noexcept;
[[nodiscard]] inline std::size_t find_any_of(std::string_view data, std::string_view set,
                                             std::size_t from = 0) noexcept {
  return find_any_of(data, byte_set(set), from);
}

/// Returns how many 64-bit masks `size` bytes have.
[[nodiscard]] constexpr std::size_t mask_words(std::size_t size) noexcept {
  return size / 64 + (size % 64 != 0 ? 1 : 0);
}

/// Sets bit i % 64 of masks[i / 64] if data[i] is `byte`, and clears the other bits of
/// mask_words(data.size()) words. Words behind those keep their values. Meant for batches of some KiB: one
/// call, then a loop over bits.
///
/// `masks` holds at least mask_words(data.size()) words. If it holds fewer, only the bytes that have a bit in
/// it are looked at.
RIFFLE_API void match_byte(std::string_view data, char byte, std::span<std::uint64_t> masks) noexcept;

/// As `match_byte`, for bytes that are members of `set`.
RIFFLE_API void match_any_of(std::string_view data, const byte_set& set,
                             std::span<std::uint64_t> masks) noexcept;

}  // namespace scan

}  // namespace riffle::inline v0

#endif
