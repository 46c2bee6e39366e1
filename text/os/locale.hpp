/// Sets the locale of the user, and says which characters of it are printable.
#pragma once

#include <memory>
#include <string_view>

namespace riffle::os {

/// Sets the locale of the program to the one that LC_ALL, LC_CTYPE or LANG names, for characters alone. It
/// stays the C locale if there is no such locale, and on Windows. Call it before there are threads.
void set_locale_of_characters();

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
