/// What an encoding takes for characters, white space and columns.
#pragma once

#include <riffle/scan.hpp>
#include <riffle/text_options.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kernel/utf8_white_space.hpp"
#include "os/locale.hpp"

namespace riffle::inline v0 {

/// How bytes are characters.
enum class encoding : std::uint8_t {
  bytes,  ///< each byte is one
  utf8,
  multibyte  ///< another encoding: the C library decodes a text from its start
};

/// What is known of characters, as os/locale.hpp says: by the locale of the program, or by tables.
struct character_facts {
  bool (*is_white_space)(char32_t character) noexcept;
  int (*columns_of)(char32_t character) noexcept;
  os::decoded_character (*decode_longer)(std::string_view utf8) noexcept;
};

/// The rules of an encoding.
struct text_rules {
  riffle::encoding encoding = encoding::bytes;
  byte_set white;      ///< single bytes that are white space
  byte_set printable;  ///< single bytes that take a column
  kernel::utf8_white_space long_white;
  bool no_break_spaces = true;  ///< are white space
  const character_facts* facts = nullptr;
};

/// Returns the rules for `text_options::encoding` and `no_break_spaces`.
text_rules rules_of(const text_options& what);

/// Returns whether GNU wc takes a character for a no-break space, which is white space unless POSIXLY_CORRECT
/// is set.
constexpr bool is_no_break_space(char32_t character) {
  return character == 0x00A0 || character == 0x2007 || character == 0x202F || character == 0x2060;
}

constexpr bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// Returns the character of UTF-8 that `data`, which is not empty, starts with; its size is 0 if there is
/// none. Unlike Unicode, the C library may take bytes for a character above U+10FFFF.
scan::character decode_utf8(const text_rules& rules, std::string_view data);

/// The most bytes in a character that the C library takes for UTF-8.
inline constexpr std::size_t longest_utf8 = 6;

/// Returns how many columns a character takes on a terminal: 0 for what cannot be printed.
std::uint64_t columns_of(const text_rules& rules, char32_t character);

/// Returns whether a character is white space.
bool is_white(const text_rules& rules, char32_t character);

}  // namespace riffle::inline v0
