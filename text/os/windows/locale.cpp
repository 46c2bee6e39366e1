/// The locale of Windows is UTF-8: its C library decodes no UTF-8 before 2018, and knows no width of a
/// character.
#include "text/os/locale.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "text/os/windows/widths.hpp"

namespace riffle::os {

namespace {

// The first of these variables that is set decides.
bool is_c() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value != nullptr && *value != '\0') {
      return std::string_view(value) == "C" || std::string_view(value) == "POSIX";
    }
  }
  return false;
}

}  // namespace

locale_kind set_locale_of_characters() {
  return is_c() ? locale_kind::c : locale_kind::utf8;
}

// As in the C library of GNU: not the spaces that forbid to break a line.
bool is_white_space(char32_t character) noexcept {
  if (character < 0x80) return character == ' ' || (character >= '\t' && character <= '\r');
  return character == 0x1680 || (character >= 0x2000 && character <= 0x200A && character != 0x2007) ||
         character == 0x2028 || character == 0x2029 || character == 0x205F || character == 0x3000;
}

int columns_of(char32_t character) noexcept {
  if (character == 0) return 0;
  if (character < 0x80) return character >= ' ' && character != 0x7F ? 1 : -1;
  return width_in_table(character);
}

scan::character decode_by_library(std::string_view) noexcept {
  return {};
}

struct environment_locale::state {
  bool utf8;
};

environment_locale::environment_locale() : state_(new state{!is_c()}) {}

environment_locale::~environment_locale() = default;

bool environment_locale::is_utf8() const {
  return state_->utf8;
}

environment_locale::character environment_locale::first_of(std::string_view text) const {
  const scan::character found = scan::decode_utf8(text);
  if (found.size == 0 || (found.size > 1 && !is_utf8())) return {text.substr(0, 1), false};
  return {text.substr(0, found.size), columns_of(found.value) >= 0 && found.value != 0};
}

}  // namespace riffle::os
