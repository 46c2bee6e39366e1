/// Turns decimal text into the nearest float or double, with std::from_chars and without it.
#pragma once

#include <riffle/detail/field_value.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
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

}  // namespace riffle::inline v0::detail
