/// What the locale of the user says of characters, of which not every C library knows.
#pragma once

#include <riffle/scan.hpp>

#include <cstdint>
#include <memory>
#include <string_view>

namespace riffle::os {

/// How the bytes of a locale are characters.
enum class locale_kind : std::uint8_t {
  c,      ///< the C locale
  bytes,  ///< each byte is one
  utf8,
  multibyte  ///< another encoding
};

/// Sets the locale of the program to the one that LC_ALL, LC_CTYPE or LANG names, for characters alone. It
/// stays the C locale if there is no such locale. Windows has no such variables: the locale is UTF-8 there,
/// unless one of them says C. Call it before there are threads.
locale_kind set_locale_of_characters();

// In the locale that was set.

bool is_white_space(char32_t character) noexcept;
/// Returns how many columns a character takes on a terminal, as wcwidth(3) does: -1 if it cannot be printed.
int columns_of(char32_t character) noexcept;

/// Returns the character that UTF-8 starts with, if the C library takes more for one than Unicode does. The
/// size is 0 if it does not.
scan::character decode_by_library(std::string_view utf8) noexcept;

/// The locale of the environment, for the calling thread only. If a part of it is missing, all of it is C.
class environment_locale {
 public:
  environment_locale();
  environment_locale(const environment_locale&) = delete;
  environment_locale& operator=(const environment_locale&) = delete;
  ~environment_locale();

  [[nodiscard]] bool is_utf8() const;

  /// The first character of a text, or a byte or the rest of the text that is none.
  struct character {
    std::string_view bytes;
    bool printable;
  };
  [[nodiscard]] character first_of(std::string_view text) const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace riffle::os
