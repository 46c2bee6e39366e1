/// Offers a set of bytes: what separates words, or what a SIMD kernel counts and finds.
#pragma once

#include <riffle/export.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace riffle::inline v0 {

/// Holds a set of byte values as 256 bits: `constexpr riffle::byte_set gc("cCgG");`.
class byte_set {
 public:
  /// Makes an empty set.
  constexpr byte_set() = default;
  /// Makes the set of the bytes that occur in `members`, such as a string literal. A view may contain NUL.
  template <std::convertible_to<std::string_view> Members>
  constexpr byte_set(const Members& members) {
    for (const char member : std::string_view(members)) add(member);
  }
  /// Adds `byte`.
  constexpr void add(char byte) noexcept { words_[index(byte)] |= bit(byte); }
  /// Returns whether `byte` is a member.
  [[nodiscard]] constexpr bool contains(char byte) const noexcept {
    return (words_[index(byte)] & bit(byte)) != 0;
  }
  /// Returns the 256 bits: byte b is a member if bit b % 64 of word b / 64 is set. Valid as long as the set.
  [[nodiscard]] constexpr const std::array<std::uint64_t, 4>& words() const noexcept { return words_; }
  /// Returns the set of all other bytes.
  [[nodiscard]] constexpr byte_set operator~() const noexcept {
    byte_set others;
    for (std::size_t i = 0; i != words_.size(); ++i) others.words_[i] = ~words_[i];
    return others;
  }
  // Written out, so that compilers see which sets are equal; of a default they call memcmp.
  friend constexpr bool operator==(const byte_set& a, const byte_set& b) noexcept {
    return ((a.words_[0] ^ b.words_[0]) | (a.words_[1] ^ b.words_[1]) | (a.words_[2] ^ b.words_[2]) |
            (a.words_[3] ^ b.words_[3])) == 0;
  }

 private:
  static constexpr std::size_t index(char byte) noexcept { return static_cast<unsigned char>(byte) / 64U; }
  static constexpr std::uint64_t bit(char byte) noexcept {
    return std::uint64_t{1} << (static_cast<unsigned char>(byte) % 64U);
  }
  std::array<std::uint64_t, 4> words_{};
};

/// Holds what separates words by default, the white space of the C locale: tab, newline, vertical tab, form
/// feed, carriage return, space.
inline constexpr byte_set word_separators{"\t\n\v\f\r "};

}  // namespace riffle::inline v0
