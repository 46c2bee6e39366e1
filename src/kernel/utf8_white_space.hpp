/// Says which characters of UTF-8 are white space.
#pragma once

#include <riffle/version.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace riffle::inline v0::kernel {

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
