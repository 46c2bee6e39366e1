/// Formats sizes, times and numbers, and parses those of the command line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "text/usage_error.hpp"

namespace riffle::text {

inline constexpr std::size_t kib = 1024;
inline constexpr std::size_t mib = 1024 * kib;
inline constexpr std::size_t gib = 1024 * mib;

/// "1.0 KiB", "953.7 MiB"
std::string human_size(std::uint64_t bytes);
/// "512", "4K", "64K", "1M": a size as it is written on the command line.
std::string short_size(std::uint64_t bytes);
/// "12.3 us", "4.56 ms", "7.89 s": three significant figures.
std::string human_seconds(double seconds);
/// "8.00", "12.3", "0.025": three significant figures, in at most five columns up to 99999.
std::string short_number(double value);
/// "1,030"; "0" for an infinity or a NaN.
std::string with_commas(double whole_number);

inline constexpr std::uint64_t any_size = std::numeric_limits<std::uint64_t>::max();

/// A whole decimal number: "010" is ten. Throws usage_error for anything else, and for a number that is not
/// from `least` to `most`.
std::uint64_t parse_number(std::string_view text, std::uint64_t least, std::uint64_t most);
/// A size in bytes: a whole decimal number, with one of the units B K M G T P E, powers of 1024, in either
/// case. K, KB, Ki and KiB are the same. Throws like parse_number.
std::uint64_t parse_size(std::string_view text, std::uint64_t least, std::uint64_t most);
/// The same with bounds that are known, as functions of the text alone.
template <std::uint64_t least, std::uint64_t most>
std::uint64_t number_within(std::string_view text) {
  return parse_number(text, least, most);
}
template <std::uint64_t least, std::uint64_t most>
std::uint64_t size_within(std::string_view text) {
  return parse_size(text, least, most);
}
/// A number of seconds above 0. Throws usage_error.
double parse_seconds(std::string_view text);

}  // namespace riffle::text
