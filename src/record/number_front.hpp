/// Reads the number at the front of a text that goes on after it, without a search for its end.
#pragma once

#include <riffle/detail/inline_mask.hpp>
#include <riffle/detail/lowest_bit.hpp>
#include <riffle/detail/mask_scan.hpp>

#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <system_error>

#include "record/decimal.hpp"

namespace riffle::inline v0::detail {

/// The most bytes of a number, wherever the block ends.
inline constexpr std::size_t longest_number = 4096;

inline constexpr std::uint64_t eight_powers[] = {1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000};

/// Returns the number that eight digits write, the first in the lowest byte: it joins them by two, by four
/// and by eight.
inline std::uint64_t of_eight(std::uint64_t digits) {
  digits = (digits * 10 + (digits >> 8U)) & 0x00FF00FF00FF00FF;
  digits = (digits * 100 + (digits >> 16U)) & 0x0000FFFF0000FFFF;
  return (digits * 10000 + (digits >> 32U)) & 0xFFFFFFFF;
}

/// As `take_digits`, by eight bytes at a time: a branch for each number of digits is mispredicted too often.
[[gnu::always_inline]] inline leading_digits take_front_digits(const char*& at, const char* end,
                                                               std::uint64_t number = 0) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  const char* const first = at;
  while (end - at >= 8) {
    const std::uint64_t digits = little_endian<std::uint64_t>(at) ^ ones * '0';
    // Marks each byte above 9. A carry can only come from a marked byte, so the lowest mark is right.
    const std::uint64_t marks = ((digits + ones * (0x7F - 9)) | digits) & ones * 0x80;
    if (marks == 0) {
      number = number * 100'000'000 + of_eight(digits);
      at += 8;
      continue;
    }
    const std::size_t some = lowest_bit(marks) / 8;
    number = number * eight_powers[some] + of_eight(digits << 8 * (7 - some) << 8U);
    at += some;
    return {number, static_cast<std::size_t>(at - first)};
  }
  std::string_view rest(at, static_cast<std::size_t>(end - at));
  number = take_digits(rest, number).number;
  at = rest.data();
  return {number, static_cast<std::size_t>(at - first)};
}

/// Takes a power of ten after an 'e' from the front of the text, and returns it; 0 if there is none. What is
/// no such power stays, so that no white space follows.
inline int take_power(const char*& at, const char* end) {
  std::string_view after(at, static_cast<std::size_t>(end - at));
  if (!after.starts_with('e') && !after.starts_with('E')) return 0;
  after.remove_prefix(1);
  const bool negative = take_sign(after);
  const leading_digits power = take_digits(after);
  if (power.count == 0 || power.count > 4) return 0;
  at = after.data();
  return negative ? -static_cast<int>(power.number) : static_cast<int>(power.number);
}

/// Takes a number without sign if one multiplication or division of two exact numbers gives it, rounded once.
template <std::floating_point T>
[[gnu::always_inline]] inline bool take_exact(const char*& from, const char* end, T& value) {
  const char* at = from;
  leading_digits all = take_front_digits(at, end);
  int power = 0;
  if (at != end && *at == '.') {
    const std::size_t whole = all.count;
    all = take_front_digits(++at, end, all.number);
    power = -static_cast<int>(all.count);
    all.count += whole;
  }
  constexpr std::uint64_t most = std::uint64_t{1} << std::numeric_limits<T>::digits;
  if (all.count == 0 || all.count > 19 || all.number > most) return false;
  power += take_power(at, end);
  constexpr int powers = exact_powers<T>.size();
  if (power <= -powers || power >= powers) return false;
  const T number = static_cast<T>(all.number);
  value = power < 0 ? number / exact_powers<T>[static_cast<std::size_t>(-power)]
                    : number * exact_powers<T>[static_cast<std::size_t>(power)];
  from = at;
  return true;
}

/// Takes a number from the front of the 16 bytes or more between `at` and `end`. Returns false if it did not.
/// A float that has no white space in 16 bytes has too many digits for `take_exact`.
template <std::floating_point T>
[[gnu::always_inline]] inline bool take_front(const char*& at, const char* end, T& value) {
  const bool positive = *at == '+';
  const bool negative = *at == '-';
  const char* const digits = at + (positive || negative ? 1 : 0);
  if (inline_bytes(at).white_space().mask() != 0) {
    const char* stop = digits;
    if (take_exact(stop, end, value)) {
      constexpr T signs[] = {1, -1};  // a branch for the sign would be mispredicted
      value *= signs[negative];
      at = stop;
      return true;
    }
  }
  if constexpr (has_from_chars<T>) {
    if (positive && *digits == '-') return false;
    const auto [stop, failure] = std::from_chars(positive ? digits : at, end, value);
    if (failure != std::errc() || stop[-1] == ')') return false;  // such as nan(1)
    if (static_cast<std::size_t>(stop - at) > longest_number) return false;
    at = stop;
    return true;
  }
  return false;
}

/// The same for an integer, if all with so many digits fit.
template <std::integral T>
[[gnu::always_inline]] inline bool take_front(const char*& at, const char* end, T& value) {
  const bool negative = *at == '-';
  if (negative && std::unsigned_integral<T>) return false;
  at += negative || *at == '+' ? 1 : 0;
  const leading_digits found = take_front_digits(at, end);
  if (found.count == 0 || found.count > std::numeric_limits<T>::digits10) return false;
  value = static_cast<T>(negative ? 0 - found.number : found.number);
  return true;
}

/// Reads the number at the front of the bytes between `at` and `end`, if it is simple and white space follows
/// it. Returns its end; null if it is not, which says nothing of the text.
template <class T>
const char* front_number(const char* at, const char* end, T& value) {
  if (end - at < 16 || !take_front(at, end, value) || at == end || !any_white::is(*at)) return nullptr;
  return at;
}

}  // namespace riffle::inline v0::detail
