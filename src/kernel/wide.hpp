/// An integer of 128 bits for exact sums, because not every compiler has such a type.
#pragma once

#include <cstdint>

namespace riffle::inline v0::kernel {

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
  return {value << bits, bits == 0 ? 0 : value >> (64U - bits)};
}

/// Returns `value` with its sign extended to the upper half.
constexpr wide widened(std::int64_t value) noexcept {
  return {static_cast<std::uint64_t>(value), value < 0 ? ~std::uint64_t{0} : 0};
}

}  // namespace riffle::inline v0::kernel
