/// Implements the exact sum of doubles.
#include <riffle/sum.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

namespace riffle::inline v0 {

namespace {

constexpr unsigned digit_bits = 32;
constexpr std::uint64_t digit_mask = 0xFFFF'FFFF;
constexpr std::uint32_t most_uncarried = std::uint32_t{1} << 29U;

}  // namespace

void exact_sum::add(double value) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto exponent = static_cast<unsigned>(bits >> 52U & 0x7FFU);
  if (exponent == 0x7FF) {
    special_ += value;
    return;
  }
  if (++uncarried_ >= most_uncarried) carry();
  // A subnormal number counts the same 2^-1074 as the least normal one, without the leading bit.
  const std::uint64_t leading = exponent == 0 ? 0 : std::uint64_t{1} << 52U;
  const std::uint64_t significand = (bits & 0xF'FFFF'FFFF'FFFF) | leading;
  const unsigned place = exponent == 0 ? 0 : exponent - 1;
  const unsigned shift = place % digit_bits;
  const std::uint64_t low = (significand & digit_mask) << shift;
  const std::uint64_t high = (significand >> digit_bits) << shift;
  const std::int64_t sign = value < 0 ? -1 : 1;
  std::int64_t* const digit = digits_.data() + place / digit_bits;
  digit[0] += sign * static_cast<std::int64_t>(low & digit_mask);
  digit[1] += sign * static_cast<std::int64_t>((low >> digit_bits) + (high & digit_mask));
  digit[2] += sign * static_cast<std::int64_t>(high >> digit_bits);
}

void exact_sum::add(const exact_sum& other) noexcept {
  carry();
  exact_sum carried = other;
  carried.carry();
  std::ranges::transform(digits_, carried.digits_, digits_.begin(), std::plus<>());
  uncarried_ = 2;  // no digit is larger than after so many additions
  special_ += other.special_;
}

// Leaves 32 bits in each digit, but for the last, which has the sign.
void exact_sum::carry() noexcept {
  std::int64_t carried = 0;
  for (std::int64_t& digit : digits_) {
    const std::int64_t whole = digit + carried;
    carried = whole >> digit_bits;
    digit = whole & static_cast<std::int64_t>(digit_mask);
  }
  digits_.back() |= carried * (std::int64_t{1} << digit_bits);
  uncarried_ = 1;
}

double exact_sum::result() const noexcept {
  // Which of two NaNs an addition returns depends on the order of operands that the compiler chose.
  if (std::isnan(special_)) return std::numeric_limits<double>::quiet_NaN();
  if (special_ != 0) return special_;
  exact_sum sum = *this;
  sum.carry();
  const bool negative = sum.digits_.back() < 0;
  if (negative) {
    for (std::int64_t& digit : sum.digits_) digit = -digit;
    sum.carry();
  }
  const auto digit = [&](std::size_t index) { return static_cast<std::uint64_t>(sum.digits_[index]); };
  std::size_t top = sum.digits_.size() - 1;
  while (top > 1 && digit(top) == 0) --top;
  std::uint64_t first = digit(top) << digit_bits | digit(top - 1);
  int unit = static_cast<int>(digit_bits * (top - 1)) - 1074;
  if (top > 1) {
    // 64 bits, of which the last says too whether others follow: the conversion to double is the only
    // rounding.
    const int zeros = std::countl_zero(first);
    first = first << zeros | digit(top - 2) >> (static_cast<int>(digit_bits) - zeros);
    unit -= zeros;
    const bool more =
        (digit(top - 2) << zeros & digit_mask) != 0 ||
        std::any_of(sum.digits_.begin(), sum.digits_.begin() + static_cast<std::ptrdiff_t>(top - 2),
                    [](std::int64_t each) { return each != 0; });
    if (more) first |= 1U;
  }
  const double result = std::ldexp(static_cast<double>(first), unit);
  return negative ? -result : result;
}

}  // namespace riffle::inline v0
