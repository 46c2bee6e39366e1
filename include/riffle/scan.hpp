/// Why this file exists: the SIMD kernels over bytes that are already in memory. They do no I/O, allocate nothing and
/// cannot fail (but `sum`, which refuses to overflow); the best one for this processor is chosen when first called.
#ifndef RIFFLE_SCAN_HPP
#define RIFFLE_SCAN_HPP

#include <riffle/export.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
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

}  // namespace riffle

#endif
