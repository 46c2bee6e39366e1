/// Finds the cheapest test for membership in a set of bytes: one or two instructions suffice for most sets.
#pragma once

#include <riffle/scan.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

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

}  // namespace riffle::inline v0::kernel
