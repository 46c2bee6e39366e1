/// What SIMD kernels are told: the cheapest test of a set of bytes, the rarest bytes of a text, the white
/// space of UTF-8.
#pragma once

#include <riffle/scan.hpp>
#include <riffle/version.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace riffle::inline v0::kernel {

/// Names the shapes of a set of bytes, cheapest test first.
enum class set_shape : std::uint8_t {
  cube,           ///< all bytes x with (x & mask) == value, as cCgG is with 0xDB and 0x43
  nibble,         ///< ASCII, at most one member for each low nibble, as white space is: by_low[x & 15] == x
  nibble_or_one,  ///< as nibble, and one more member: white space with the no-break space of Latin-1
  any             ///< bit (x >> 4) % 8 of rows[x >> 7][x & 15]
};

/// Says how to test membership in a set.
struct set_plan {
  set_shape shape = set_shape::any;
  std::uint8_t mask = 0;
  std::uint8_t value = 0;
  std::array<std::uint8_t, 16> by_low{};
  std::uint8_t one_more = 0;
  std::array<std::array<std::uint8_t, 16>, 2> rows{};

  constexpr void add_to_rows(char member) noexcept {
    const auto byte = static_cast<unsigned char>(member);
    auto& row = rows[byte >> 7U][byte & 15U];
    row = static_cast<std::uint8_t>(row | 1U << (byte >> 4U & 7U));
  }
  [[nodiscard]] constexpr bool rows_contain(char member) const noexcept {
    const auto byte = static_cast<unsigned char>(member);
    return (rows[byte >> 7U][byte & 15U] >> (byte >> 4U & 7U) & 1U) != 0;
  }
};

/// Returns the cheapest plan for `set`. It looks at the members one by one, which takes little time beside a
/// batch of 16 KiB, so plans are not kept.
constexpr set_plan plan(const byte_set& set) noexcept {
  set_plan result;
  // An entry without a member holds a byte of another low nibble, so no byte looked up there is equal.
  result.by_low[0] = 1;
  unsigned members = 0;
  unsigned in_all = 0xFF;
  unsigned in_some = 0;
  unsigned low_nibbles = 0;
  unsigned more = 0;
  for (unsigned word = 0; word < 4; ++word) {
    for (std::uint64_t left = set.words()[word]; left != 0; left &= left - 1) {
      const unsigned byte = word * 64 + static_cast<unsigned>(std::countr_zero(left));
      const unsigned low = byte & 15U;
      ++members;
      in_all &= byte;
      in_some |= byte;
      if (byte < 0x80 && (low_nibbles >> low & 1U) == 0) {
        low_nibbles |= 1U << low;
        result.by_low[low] = static_cast<std::uint8_t>(byte);
      } else {
        ++more;
        result.one_more = static_cast<std::uint8_t>(byte);
      }
      result.add_to_rows(static_cast<char>(byte));
    }
  }
  const unsigned fixed = ~(in_all ^ in_some) & 0xFFU;
  result.mask = static_cast<std::uint8_t>(fixed);
  result.value = static_cast<std::uint8_t>(in_all & fixed);
  if (members == 256U >> static_cast<unsigned>(std::popcount(fixed))) {
    result.shape = set_shape::cube;
  } else if (more <= 1) {
    result.shape = more == 0 ? set_shape::nibble : set_shape::nibble_or_one;
  }
  return result;
}

/// Says how to search for a text. `bytes` is not empty; `one` and `other` are places in it.
struct text_plan {
  std::string_view bytes;
  std::size_t one = 0;
  std::size_t other = 0;
};

/// Returns how frequent each byte is in text, logs and code: 0 for a rare one.
constexpr std::array<std::uint8_t, 256> byte_frequencies() noexcept {
  constexpr char most_first[] = " e0ta1on2isr3l5d46789c\n.-:u/pm\",gf=\0yhbw_v'kx;";
  constexpr std::size_t size = sizeof most_first - 1;
  std::array<std::uint8_t, 256> frequencies{};
  for (std::size_t i = 0; i != size; ++i) {
    frequencies[static_cast<unsigned char>(most_first[i])] = static_cast<std::uint8_t>(size - i);
  }
  return frequencies;
}

/// Returns the plan for a text that is not empty. It looks at a few bytes only, so that a plan takes less
/// time than the shortest search.
constexpr text_plan plan(std::string_view text) noexcept {
  constexpr std::array<std::uint8_t, 256> frequencies = byte_frequencies();
  const std::size_t looked_at = text.size() < 32 ? text.size() : 32;
  const auto frequency = [&](std::size_t place) {
    return frequencies[static_cast<unsigned char>(text[place])];
  };
  text_plan made{text, 0, text.size() - 1};
  for (std::size_t i = 1; i < looked_at; ++i) {
    if (frequency(i) < frequency(made.one)) made.one = i;
  }
  if (made.one == made.other) made.other = 0;
  for (std::size_t i = 0; i < looked_at; ++i) {
    const bool differs = text[i] != text[made.one];
    if (differs && (text[made.other] == text[made.one] || frequency(i) < frequency(made.other)))
      made.other = i;
  }
  return made;
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

/// Holds a 128-bit integer in two's complement. It wraps around like an unsigned integer, but 2^64 additions
/// of 64-bit values cannot make it wrap.
struct wide {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  constexpr wide& operator+=(wide other) noexcept {
    low += other.low;
    high += other.high + (low < other.low ? 1U : 0U);
    return *this;
  }
  constexpr wide& operator-=(wide other) noexcept {
    high -= other.high + (low < other.low ? 1U : 0U);
    low -= other.low;
    return *this;
  }
  friend constexpr bool operator==(wide, wide) = default;
};

/// Returns `value` * 2^`bits`, for `bits` below 64.
constexpr wide shifted(std::uint64_t value, unsigned bits) noexcept {
  return {value << bits, value >> 1U >> (63U - bits)};
}

/// Returns `value` with its sign extended to the upper half.
constexpr wide widened(std::int64_t value) noexcept {
  return {static_cast<std::uint64_t>(value), value < 0 ? ~std::uint64_t{0} : 0};
}

}  // namespace riffle::inline v0::kernel
