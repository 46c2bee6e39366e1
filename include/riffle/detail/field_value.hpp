/// Turns the text of a field into a value of the type that was asked for.
#pragma once

#include <riffle/detail/text_number.hpp>
#include <riffle/export.hpp>

#include <bit>
#include <charconv>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <ratio>
#include <string_view>
#include <system_error>
#include <utility>

namespace riffle::inline v0 {

namespace detail {

enum class outcome : std::uint8_t { done, bad_value, out_of_range };

/// Holds what became of a text. The value counts only if `result` is `done`.
template <class T>
struct conversion {
  T value{};
  outcome result = outcome::bad_value;
};

/// Holds a time: seconds since 1970 in UTC, and what comes on top of them.
struct instant {
  std::chrono::seconds seconds{};
  std::chrono::nanoseconds fraction{};
};

/// Return the number nearest to a decimal text: 0 or the like if it is too small.
RIFFLE_API conversion<double> to_double(std::string_view text);
RIFFLE_API conversion<float> to_float(std::string_view text);
/// Returns the time that `row::get` describes.
RIFFLE_API conversion<instant> to_instant(std::string_view text) noexcept;

/// Says how a field becomes a `T`, and what messages call that type.
template <class T>
struct field_traits;

template <>
struct field_traits<std::string_view> {
  static constexpr std::string_view name = "text";
  static conversion<std::string_view> convert(std::string_view text) noexcept {
    return {text, outcome::done};
  }
};

template <>
struct field_traits<double> {
  static constexpr std::string_view name = "f64";
  static conversion<double> convert(std::string_view text) { return to_double(text); }
};
template <>
struct field_traits<float> {
  static constexpr std::string_view name = "f32";
  static conversion<float> convert(std::string_view text) { return to_float(text); }
};

template <>
struct field_traits<bool> {
  static constexpr std::string_view name = "bool";
  static conversion<bool> convert(std::string_view text) noexcept {
    const bool yes = text == "true" || text == "1" || text == "True" || text == "TRUE";
    const bool no = text == "false" || text == "0" || text == "False" || text == "FALSE";
    return {yes, yes || no ? outcome::done : outcome::bad_value};
  }
};

template <field_integer T>
struct field_traits<T> {
  static constexpr std::string_view names[2][4] = {{"u8", "u16", "u32", "u64"}, {"i8", "i16", "i32", "i64"}};
  static constexpr std::string_view name = names[std::signed_integral<T>][std::bit_width(sizeof(T)) - 1];

  // Most numbers are short, and have no sign.
  static conversion<T> convert(std::string_view text) noexcept {
    constexpr std::size_t always_fit = std::numeric_limits<T>::digits10;
    if (text.empty() || text.size() > always_fit) return by_from_chars(text);
    conversion<T> found{0, outcome::done};
    for (const char c : text) {
      const auto digit = static_cast<unsigned>(c - '0');
      if (digit > 9) return by_from_chars(text);
      found.value = static_cast<T>(T{10} * found.value + static_cast<T>(digit));
    }
    return found;
  }

 private:
  static conversion<T> by_from_chars(std::string_view text) noexcept {
    if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
    const char* const last = text.data() + text.size();
    T value{};
    const auto [end, failure] = std::from_chars(text.data(), last, value);
    if (end != last || failure == std::errc::invalid_argument) return {};
    return {value, failure == std::errc() ? outcome::done : outcome::out_of_range};
  }
};

/// Turns an instant into whole ticks of `Rep`, rounded down.
template <class Rep, class Period>
conversion<Rep> whole_ticks(const instant& at) noexcept {
  using unit = std::chrono::duration<std::int64_t, std::ratio<Period::num>>;  // has `den` ticks
  const unit before = std::chrono::floor<unit>(at.seconds);
  std::int64_t units = before.count();
  std::int64_t rest = 0;  // ticks after them
  if constexpr (Period::den != 1) {
    using of_nanosecond = std::ratio_divide<std::nano, Period>;
    rest = (std::chrono::nanoseconds(at.seconds - before) + at.fraction).count() * of_nanosecond::num /
           of_nanosecond::den;
    // Both have one sign, so that they fit if their sum does.
    if (units < 0) {
      ++units;
      rest -= Period::den;
    }
  }
  Rep ticks{};
  const bool fits =
      !__builtin_mul_overflow(units, Period::den, &ticks) && !__builtin_add_overflow(ticks, rest, &ticks);
  return {ticks, fits ? outcome::done : outcome::out_of_range};
}

template <class Duration>
struct field_traits<std::chrono::sys_time<Duration>> {
  static constexpr std::string_view name = "time";
  using time = std::chrono::sys_time<Duration>;
  using rep = typename Duration::rep;
  using period = typename Duration::period;

  /// Integers are rounded down. Others keep what they can hold.
  static conversion<time> convert(std::string_view text) noexcept {
    const conversion<instant> found = to_instant(text);
    if (found.result != outcome::done) return {{}, found.result};
    if constexpr (std::integral<rep>) {
      const conversion<rep> ticks = whole_ticks<rep, period>(found.value);
      return {time(Duration(ticks.value)), ticks.result};
    } else {
      const auto [seconds, fraction] = found.value;
      const long double exact = static_cast<long double>(seconds.count()) +
                                static_cast<long double>(fraction.count()) / std::nano::den;
      const long double ticks = exact * period::den / period::num;
      return {time(Duration(static_cast<rep>(ticks))), outcome::done};
    }
  }
};

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

/// None for an empty field.
template <class T>
  requires requires { field_traits<T>::name; }
struct field_traits<std::optional<T>> {
  static constexpr std::string_view name = field_traits<T>::name;
  static conversion<std::optional<T>> convert(std::string_view text) {
    if (text.empty()) return {std::nullopt, outcome::done};
    const conversion<T> found = field_traits<T>::convert(text);
    return {found.value, found.result};
  }
};

}  // namespace detail

/// Accepts the types that a field can be asked for: integers, `float`, `double`, `bool`, `std::string_view`,
/// `std::chrono::sys_time`, and `std::optional` of each.
template <class T>
concept field_value = requires { detail::field_traits<T>::name; };

}  // namespace riffle::inline v0
