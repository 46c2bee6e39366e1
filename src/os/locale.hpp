/// What the locale of the program, or the C library of GNU in C.UTF-8, says of characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace riffle::os {

/// How the bytes of a locale are characters.
enum class locale_kind : std::uint8_t {
  c,      ///< the C locale
  bytes,  ///< each byte is one
  utf8,
  multibyte  ///< another encoding
};

/// Returns the kind of the locale that std::setlocale set. Windows: UTF-8, whatever was set, unless LC_ALL,
/// LC_CTYPE or LANG, whichever is set first, says C.
locale_kind kind_of_locale();

// In that locale.

bool is_white_space(char32_t character) noexcept;
/// Returns how many columns a character takes on a terminal, as wcwidth(3) does: -1 if it cannot be printed.
int columns_of(char32_t character) noexcept;

/// A character, and the size of its bytes; 0: there is none.
struct decoded_character {
  char32_t value = 0;
  std::size_t size = 0;
};

/// Returns the character that UTF-8, which is not empty, starts with, if the C library takes more for one
/// than Unicode does.
decoded_character decode_by_library(std::string_view utf8) noexcept;

}  // namespace riffle::os

namespace riffle::os::glibc {

// As the functions above.

bool is_white_space(char32_t character) noexcept;
int columns_of(char32_t character) noexcept;
decoded_character decode_by_library(std::string_view utf8) noexcept;

}  // namespace riffle::os::glibc
