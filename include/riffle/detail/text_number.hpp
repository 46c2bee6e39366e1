/// Names the types of numbers that text is read as.
#pragma once

#include <riffle/export.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace riffle::inline v0 {

namespace detail {

/// Accepts integers, but no types of characters, and no bool.
template <class T>
concept field_integer =
    std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> && !std::same_as<T, wchar_t> &&
    !std::same_as<T, char8_t> && !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

template <std::size_t bytes>
struct integers_of;
template <>
struct integers_of<1> : std::type_identity<std::int8_t> {};
template <>
struct integers_of<2> : std::type_identity<std::int16_t> {};
template <>
struct integers_of<4> : std::type_identity<std::int32_t> {};
template <>
struct integers_of<8> : std::type_identity<std::int64_t> {};

/// Gives the type of which the library has the code: a `T`, or the integer of a fixed width that is as `T`
/// is. On Linux `long` and `long long` are two types of one width.
template <class T>
struct fixed : std::type_identity<T> {};
template <std::signed_integral T>
struct fixed<T> : integers_of<sizeof(T)> {};
template <std::unsigned_integral T>
struct fixed<T> : std::make_unsigned<typename integers_of<sizeof(T)>::type> {};

/// Holds what was taken: a number and the bytes of its text; no bytes if there was none.
template <class T>
struct taken_number {
  T value{};
  std::size_t size = 0;
};

}  // namespace detail

/// Accepts the numbers that `reader::number` and `riffle::numbers` read from text: integers, `float` and
/// `double`. An integer of one byte is a number too, no character.
template <class T>
concept text_number = detail::field_integer<T> || std::same_as<T, float> || std::same_as<T, double>;

}  // namespace riffle::inline v0
