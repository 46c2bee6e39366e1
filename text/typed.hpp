/// What a user typed: sets of bytes, sizes and numbers, the nearest name, and the error for what riffle
/// cannot use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace riffle::text {

/// `what()` says what is wrong and the remedy, in one line, without "riffle: " before it.
struct usage_error : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// How the help says it. Macros, so that the texts of a table of options are joined by the compiler.
#define RIFFLE_BYTE_SYNTAX "a character, or \\n \\r \\t \\\\ \\NNN (octal) \\xHH"
#define RIFFLE_TEXT_SYNTAX "characters, \\n \\r \\t \\\\ \\NNN (octal) \\xHH"
#define RIFFLE_SET_SYNTAX \
  "as for tr: characters, ranges such as a-z, [:digit:], \\n \\t \\- \\\\ \\NNN (octal) \\xHH"

/// The bytes of a set in the syntax of GNU tr: "a-z0-9_\n", "[:alpha:][=-=]\\001-\\037". Each byte comes as
/// often as it is named. A byte after a backslash is itself if it is no letter or digit, and "\x1F" is
/// riffle's own escape. Throws usage_error for what describes no set of bytes: an empty text, a reversed
/// range, an unknown or unclosed class, an unknown escape, and the repeats of tr's second SET.
std::string parse_bytes(std::string_view text);
/// A text that is searched for, in which escapes stand for bytes. Throws usage_error for an empty text and an
/// unknown escape.
std::string parse_text(std::string_view text);
/// The one byte of such a set. Throws usage_error if there are more.
char parse_byte(std::string_view text);

/// The text without the white space around it.
std::string_view trimmed(std::string_view text);

/// How many letters must be inserted, left out, replaced or swapped with their neighbour to make one word of
/// the other (the restricted Damerau-Levenshtein distance).
std::size_t distance(std::string_view from, std::string_view to);

/// The name at the least distance from `word`, the first of several; empty if each is further than a third of
/// the longer one's letters.
std::string nearest(std::string_view word, std::span<const std::string> names);

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
