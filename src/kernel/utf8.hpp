/// Says what well-formed UTF-8 is, one character at a time, and which characters of it are white space.
#ifndef RIFFLE_KERNEL_UTF8_HPP
#define RIFFLE_KERNEL_UTF8_HPP

#include <riffle/detail/inline_mask.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace riffle::inline v0::kernel {

/// Holds the longest valid start of some bytes.
struct utf8_prefix {
  std::size_t size = 0;          ///< in bytes; it ends between two characters
  std::uint64_t characters = 0;  ///< in these bytes
  friend constexpr bool operator==(utf8_prefix, utf8_prefix) = default;
};

constexpr bool is_continuation(char byte) noexcept {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// A character, and its size in bytes.
struct decoded {
  char32_t character = 0;
  std::size_t size = 0;
};

/// Returns the character that `data` starts with, which has 1 to 4 bytes; its size is 0 if there is no valid
/// one. The Unicode Standard, table 3-7, lists what is valid: no surrogates, nothing above U+10FFFF, the
/// shortest form.
inline decoded decode_utf8(std::string_view data) noexcept {
  std::uint32_t bytes = 0;
  if (data.size() >= 4) {
    bytes = static_cast<std::uint32_t>(detail::little_endian<std::uint32_t>(data.data()));
  } else {  // zeros continue no character
    for (std::size_t i = data.size(); i-- != 0;) bytes = bytes << 8U | static_cast<unsigned char>(data[i]);
  }
  const auto bits = [bytes](unsigned i) -> char32_t { return bytes >> 8U * i & 0x3FU; };
  if ((bytes & 0xC0C0F0U) == 0x8080E0U) {
    const char32_t character = (bytes & 0x0FU) << 12U | bits(1) << 6U | bits(2);
    if (character >= 0x800 && (character < 0xD800 || character > 0xDFFF)) return {character, 3};
  } else if ((bytes & 0xC0C0C0F8U) == 0x808080F0U) {
    const char32_t character = (bytes & 0x07U) << 18U | bits(1) << 12U | bits(2) << 6U | bits(3);
    if (character >= 0x10000 && character <= 0x10FFFF) return {character, 4};
  } else if ((bytes & 0xC0E0U) == 0x80C0U) {
    const char32_t character = (bytes & 0x1FU) << 6U | bits(1);
    if (character >= 0x80) return {character, 2};
  } else if ((bytes & 0x80U) == 0 && !data.empty()) {
    return {bytes & 0x7FU, 1};
  }
  return {};
}

/// Holds the white space of a UTF-8 text: that of ASCII, and members of a few groups. A group is 16
/// characters that differ only in the low nibble of their last byte. The groups hold all that Unicode 4.0
/// to 16.0 and GNU wc take for white space, except U+180E, which Unicode took for it until 6.3.
class utf8_white_space {
 public:
  struct group {
    char32_t first;
    std::uint8_t lead;    ///< the first byte
    std::uint8_t second;  ///< the second of three; 0 if there are two
    std::uint8_t high;    ///< the high nibble of the last byte
  };
  /// Two groups of two bytes, then those of three.
  static constexpr std::array<group, 8> groups{{{0x0080, 0xC2, 0x00, 0x8},
                                                {0x00A0, 0xC2, 0x00, 0xA},
                                                {0x1680, 0xE1, 0x9A, 0x8},
                                                {0x2000, 0xE2, 0x80, 0x8},
                                                {0x2020, 0xE2, 0x80, 0xA},
                                                {0x2050, 0xE2, 0x81, 0x9},
                                                {0x2060, 0xE2, 0x81, 0xA},
                                                {0x3000, 0xE3, 0x80, 0x8}}};
  static constexpr std::uint8_t of_two_bytes = 0b11;

  /// Adds a character. Returns false if it is a member of none of the groups.
  constexpr bool add(char32_t character) noexcept {
    for (unsigned i = 0; i < groups.size(); ++i) {
      if ((character & ~char32_t{15}) != groups[i].first) continue;
      by_low_[character & 15U] = static_cast<std::uint8_t>(by_low_[character & 15U] | 1U << i);
      return true;
    }
    return false;
  }

  /// Returns the size in bytes of the white space outside ASCII that `data` starts with; 0 if it starts with
  /// none.
  [[nodiscard]] constexpr std::size_t size_at(std::string_view data) const noexcept {
    for (unsigned i = 0; i < groups.size(); ++i) {
      const group& one = groups[i];
      const std::size_t size = one.second == 0 ? 2 : 3;
      if (data.size() < size || data[0] != static_cast<char>(one.lead)) continue;
      if (size == 3 && data[1] != static_cast<char>(one.second)) continue;
      const unsigned last = static_cast<unsigned char>(data[size - 1]);
      if (last >> 4U == one.high && (by_low_[last & 15U] >> i & 1U) != 0) return size;
    }
    return 0;
  }

  /// Returns the members by the low nibble of their last byte: bit i for group i.
  [[nodiscard]] constexpr const std::array<std::uint8_t, 16>& by_low() const noexcept { return by_low_; }

 private:
  std::array<std::uint8_t, 16> by_low_{};
};

}  // namespace riffle::inline v0::kernel

#endif
