/// Asks the C library for what its locale says, so that riffle and GNU wc agree on the same machine.
#include "os/locale.hpp"

#include <langinfo.h>

#include <clocale>
#include <cstdlib>
#include <cwchar>
#include <cwctype>

namespace riffle::os {

locale_kind kind_of_locale() {
  const std::string_view name = std::setlocale(LC_CTYPE, nullptr);
  if (name == "C" || name == "POSIX") return locale_kind::c;
  if (MB_CUR_MAX == 1) return locale_kind::bytes;
  return std::string_view(::nl_langinfo(CODESET)) == "UTF-8" ? locale_kind::utf8 : locale_kind::multibyte;
}

bool is_white_space(char32_t character) noexcept {
  return std::iswspace(static_cast<std::wint_t>(character)) != 0;
}

int columns_of(char32_t character) noexcept {
  return ::wcwidth(static_cast<wchar_t>(character));
}

decoded_character decode_by_library(std::string_view utf8) noexcept {
  std::mbstate_t state{};
  wchar_t character = 0;
  const std::size_t size = std::mbrtowc(&character, utf8.data(), utf8.size(), &state);
  if (size > utf8.size()) return {};
  return {static_cast<char32_t>(character), size};
}

}  // namespace riffle::os
