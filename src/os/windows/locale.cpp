/// The locale of Windows is UTF-8: its C library decodes no UTF-8 before 2018, and knows no width of a
/// character.
#include "os/locale.hpp"

#include <cstdlib>

#include "os/glibc_text.hpp"

namespace riffle::os {

locale_kind kind_of_locale() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view locale = value;
    return locale == "C" || locale == "POSIX" ? locale_kind::c : locale_kind::utf8;
  }
  return locale_kind::utf8;
}

bool is_white_space(char32_t character) noexcept {
  return glibc::is_white_space(character);
}

int columns_of(char32_t character) noexcept {
  return glibc::columns_of(character);
}

decoded_character decode_by_library(std::string_view /*utf8*/) noexcept {
  return {};
}

}  // namespace riffle::os
