/// Counts a text as GNU wc does, one character at a time by the C library, in a locale that a test sets.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <clocale>
#include <cstdlib>
#include <cwchar>
#include <cwctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "count/part.hpp"
#include "text/os/system.hpp"

namespace riffle::test {

/// Sets variables that name the locale, and the locale itself back to C at the end.
class locale_variables {
 public:
  explicit locale_variables(const std::vector<std::pair<const char*, const char*>>& values) {
    for (const char* const name : names) {
      const char* const value = std::getenv(name);
      before_.push_back(value == nullptr ? std::optional<std::string>() : value);
      ::unsetenv(name);
    }
    for (const auto& [name, value] : values) ::setenv(name, value, 1);
  }
  ~locale_variables() {
    for (std::size_t i = 0; i < names.size(); ++i) {
      before_[i] ? ::setenv(names[i], before_[i]->c_str(), 1) : ::unsetenv(names[i]);
    }
    std::setlocale(LC_ALL, "C");
  }
  locale_variables(const locale_variables&) = delete;
  locale_variables& operator=(const locale_variables&) = delete;

 private:
  static constexpr std::array names{"LC_ALL", "LC_CTYPE", "LANG", "POSIXLY_CORRECT"};
  std::vector<std::optional<std::string>> before_;
};

/// The rules of the locale that the variables name.
inline text_rules rules_of_variables() {
  os::set_locale_of_characters();
  return rules_of({.encoding = text_encoding::locale});
}

/// Without what a part has more.
inline text_counts numbers(const text_counts& counted) {
  return counted;
}

/// What GNU wc counts in the locale of the program.
inline text_counts expected(std::string_view text) {
  text_counts result;
  result.bytes = text.size();
  bool in_word = false;
  std::uint64_t column = 0;
  while (!text.empty()) {
    std::mbstate_t state{};
    wchar_t character = 0;
    std::size_t size = std::mbrtowc(&character, text.data(), text.size(), &state);
    const bool byte = MB_CUR_MAX == 1;
    const bool decodes = byte || size <= text.size();
    if (byte) {
      character = static_cast<unsigned char>(text.front());
      size = 1;
    }
    text.remove_prefix(decodes ? std::max<std::size_t>(size, 1) : 1);
    const std::wint_t wide{static_cast<char32_t>(character)};
    const bool space = byte ? std::isspace(static_cast<int>(wide)) != 0 : std::iswspace(wide) != 0;
    const bool white = decodes && (space || is_no_break_space(static_cast<char32_t>(wide)));
    if (!white && !in_word) ++result.words;
    in_word = !white;
    if (!decodes) continue;
    ++result.characters;
    if (character == L'\n') ++result.lines;
    if (character == L'\n' || character == L'\r' || character == L'\f') {
      result.longest_line = std::max(result.longest_line, column);
      column = 0;
    } else if (character == L'\t') {
      column = column / 8 * 8 + 8;
    } else if (byte) {
      column += std::isprint(static_cast<int>(wide)) != 0 ? 1 : 0;
    } else {
      column += static_cast<std::uint64_t>(std::max(0, ::wcwidth(character)));
    }
  }
  result.longest_line = std::max(result.longest_line, column);
  return result;
}

}  // namespace riffle::test
