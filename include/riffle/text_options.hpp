/// Offers the options of counting a text: what is counted, and how its bytes are characters.
#pragma once

#include <riffle/version.hpp>

#include <cstdint>

namespace riffle::inline v0 {

/// Says which bytes are a character, white space, and a column.
enum class text_encoding : std::uint8_t {
  utf8,   ///< UTF-8, by the tables of glibc 2.36 on every system: a locale such as C.UTF-8 of GNU wc
  bytes,  ///< each byte is a character: the C locale of GNU wc, where byte 0xA0 is white space
  /// The encoding of the locale that `std::setlocale` set, as its C library says. One thread counts a text of
  /// several bytes a character that is no UTF-8. On Windows it is UTF-8, unless LC_ALL, LC_CTYPE or LANG,
  /// whichever is set first, says C.
  locale
};

/// Holds the counts of a text. What was not asked for is 0.
struct text_counts {
  std::uint64_t lines = 0;         ///< newlines
  std::uint64_t words = 0;         ///< runs of bytes that are not white space
  std::uint64_t characters = 0;    ///< a byte that is a part of none does not count
  std::uint64_t bytes = 0;         ///< is always counted
  std::uint64_t longest_line = 0;  ///< in columns of a terminal: the largest width of a line
  friend constexpr bool operator==(const text_counts&, const text_counts&) = default;
};

/// Says what `count_text` counts, and how. Use designated initialisers: `{.longest_line = true}`.
struct text_options {
  /// Count newlines.
  bool lines = true;
  /// Count words.
  bool words = true;
  /// Count characters.
  bool characters = false;
  /// Measure the longest line, which a newline, '\r' or '\f' ends. A tab leads to the next multiple of 8
  /// columns. What cannot be printed takes no column.
  bool longest_line = false;
  /// How the bytes are a text.
  text_encoding encoding = text_encoding::utf8;
  /// The no-break spaces U+00A0, U+2007, U+202F and U+2060 separate words, as for GNU wc unless
  /// POSIXLY_CORRECT is set.
  bool no_break_spaces = true;
  /// Threads that count, and what they take, as `count_options::threads` says. For a `text_counter` it must
  /// be 1 (`errc::invalid_argument`): `count_text_into` takes the number.
  unsigned threads = 1;
};

}  // namespace riffle::inline v0
