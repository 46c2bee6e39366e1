/// Turns decimal text into the nearest float or double, and reads the number at the front of a text that goes
/// on.
#pragma once

#include <riffle/detail/field_value.hpp>
#include <riffle/detail/mask_scan.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <locale>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>

namespace riffle::inline v0::detail {

/// Accepts the types that the C++ library has std::from_chars for. libc++ 19 has it for no float.
template <class T>
concept has_from_chars = requires(const char* text, T& value) { std::from_chars(text, text, value); };

/// The powers of ten that `T` holds exactly, from 1 on.
template <class T>
inline constexpr auto exact_powers = [] {
  std::array<T, std::numeric_limits<T>::digits * 3 / 7 + 1> powers{};
  T power = 1;
  for (T& each : powers) {
    each = power;
    power *= 10;
  }
  return powers;
}();

/// The digits at the front of a text, and the number that they write: right up to 19 of them.
struct leading_digits {
  std::uint64_t number = 0;
  std::size_t count = 0;
};

inline leading_digits take_digits(std::string_view& text, std::uint64_t number = 0) {
  const char* const first = text.data();
  const char* const last = first + text.size();
  const char* at = first;
  for (; at != last; ++at) {
    const auto digit = static_cast<unsigned char>(*at - '0');
    if (digit > 9) break;
    number = 10 * number + digit;
  }
  text = {at, last};
  return {number, static_cast<std::size_t>(at - first)};
}

inline bool take_sign(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  return negative;
}

/// The value of a text without sign and exponent, if one division of two exact numbers gives it, rounded
/// once.
template <class T>
[[gnu::always_inline]] inline conversion<T> by_division(std::string_view text) {
  const leading_digits whole = take_digits(text);
  leading_digits all{whole.number, 0};
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    all = take_digits(text, whole.number);
  }
  const std::size_t count = whole.count + all.count;
  const bool exact = count != 0 && count <= 19 && all.count < exact_powers<T>.size() &&
                     all.number <= std::uint64_t{1} << std::numeric_limits<T>::digits;
  if (!exact || !text.empty()) return {};
  return {static_cast<T>(all.number) / exact_powers<T>[all.count], outcome::done};
}

/// Returns whether a text without sign is decimal, as std::from_chars takes it.
inline bool is_decimal(std::string_view text) {
  std::size_t count = take_digits(text).count;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    count += take_digits(text).count;
  }
  if (count == 0) return false;
  if (!text.starts_with('e') && !text.starts_with('E')) return text.empty();
  text.remove_prefix(1);
  take_sign(text);
  return take_digits(text).count != 0 && text.empty();
}

/// Returns what a text without sign names that is no number.
template <class T>
conversion<T> by_name(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c); });
  if (lower == "nan") return {std::numeric_limits<T>::quiet_NaN(), outcome::done};
  if (lower == "inf" || lower == "infinity") return {std::numeric_limits<T>::infinity(), outcome::done};
  return {};
}

/// Returns the number nearest to a decimal text, by a stream of the locale "C". A stream may fail if the
/// number is too small, and does if it is too large.
template <class T>
conversion<T> by_stream(std::string_view text) {
  std::istringstream in{std::string(text)};
  in.imbue(std::locale::classic());
  in.exceptions(std::ios_base::badbit);  // no memory is not the number 0
  T value{};
  in >> value;
  return {value, !in.fail() || std::abs(value) < 1 ? outcome::done : outcome::out_of_range};
}

/// Convert a text without sign, by std::from_chars and without it.
template <class T>
conversion<T> by_from_chars(std::string_view text) {
  const char* const last = text.data() + text.size();
  T value{};
  const auto [end, failure] = std::from_chars(text.data(), last, value);
  const bool no_number = text.starts_with('-') || text.ends_with(')');  // such as nan(1)
  if (end != last || failure == std::errc::invalid_argument || no_number) return {};
  if (failure == std::errc()) return {value, outcome::done};
  return by_stream<T>(text);
}
template <class T>
conversion<T> by_grammar(std::string_view text) {
  return is_decimal(text) ? by_stream<T>(text) : by_name<T>(text);
}

/// As `to_double`.
template <class T, bool from_chars = has_from_chars<T>>
conversion<T> to_number(std::string_view text) {
  const bool negative = take_sign(text);
  conversion<T> found = by_division<T>(text);
  if (found.result != outcome::done) {
    if constexpr (from_chars) {
      found = by_from_chars<T>(text);
    } else {
      found = by_grammar<T>(text);
    }
  }
  if (negative) found.value = -found.value;
  return found;
}

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

/// Takes a decimal number of up to eight bytes without exponent: without a branch for its length, sign or
/// decimals. The eight bytes up to its end can be read. Returns false if it did not, which says nothing of
/// the text.
[[gnu::always_inline]] inline bool short_decimal(std::string_view text, double& value) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  constexpr std::uint64_t point = '.' ^ '0';
  const std::size_t size = text.size();
  if (size - 1 > 7) return false;
  const std::uint64_t bytes = little_endian<std::uint64_t>(text.data() + size - 8);
  const auto before = static_cast<unsigned>(64 - 8 * size);  // bits
  const std::uint64_t negative = (bytes >> before & 0xFF) == '-' ? 1 : 0;
  const auto dropped = before + static_cast<unsigned>(8 * negative);
  std::uint64_t digits = dropped == 64 ? 0 : (bytes ^ ones * '0') >> dropped << dropped;
  // Marks each byte above 9. A carry only comes from a marked byte, so the lowest mark is right.
  const std::uint64_t marks = ((digits + ones * (0x7F - 9)) | digits) & ones * 0x80;
  std::size_t decimals = 0;
  if (marks != 0) {
    const std::uint64_t mark = marks >> 7U;  // the lowest bit of the point
    if ((marks & (marks - 1)) != 0 || (digits & mark * 0xFF) != mark * point) return false;
    const std::uint64_t before_point = digits & (mark - 1);
    digits += (before_point << 8U) - before_point - mark * point;
    decimals = static_cast<std::size_t>(std::countl_zero(marks)) / 8;
  }
  if (size == negative + (marks != 0 ? 1 : 0)) return false;  // there is no digit
  const double number = static_cast<double>(of_eight(digits)) / exact_powers<double>[decimals];
  value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(number) | negative << 63U);
  return true;
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

/// Takes a power of ten after an 'e' from the front of the text, and returns it, at most 2^30 in size; 0 if
/// there is none. An 'e' without digits stays, so that no white space follows.
inline int take_power(const char*& at, const char* end) {
  std::string_view after(at, static_cast<std::size_t>(end - at));
  if (!after.starts_with('e') && !after.starts_with('E')) return 0;
  after.remove_prefix(1);
  const bool negative = take_sign(after);
  const std::size_t zeros = std::min(after.find_first_not_of('0'), after.size());
  after.remove_prefix(zeros);
  const leading_digits power = take_digits(after);
  if (zeros + power.count == 0) return 0;
  at = after.data();
  const int size = power.count > 9 ? 1 << 30 : static_cast<int>(power.number);
  return negative ? -size : size;
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
