/// The locale of Windows is UTF-8, as os/locale.hpp says.
#include "text/os/locale.hpp"

#include <riffle/scan.hpp>

#include "os/locale.hpp"

namespace riffle::os {

void set_locale_of_characters() {}

struct environment_locale::state {
  bool utf8;
};

environment_locale::environment_locale() : state_(new state{kind_of_locale() == locale_kind::utf8}) {}

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
