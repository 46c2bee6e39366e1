/// Turns what is known of each character into the rules of counting.
#include "count/rules.hpp"

#include <cctype>
#include <cwchar>

#include "os/glibc_text.hpp"

namespace riffle::inline v0 {

namespace {

constexpr character_facts facts_of_locale{os::is_white_space, os::columns_of, os::decode_by_library};
constexpr character_facts facts_of_glibc{os::glibc::is_white_space, os::glibc::columns_of,
                                         os::glibc::decode_by_library};

// POSIX says what these are in the C locale. GNU wc reads byte 0xA0 as U+00A0 there.
void add_bytes_of_c(text_rules& rules) {
  rules.white = white_space;
  if (rules.no_break_spaces) rules.white.add('\xA0');
  for (char byte = ' '; byte <= '~'; ++byte) rules.printable.add(byte);
}

// Bytes above 0x7F are no characters where characters have several bytes.
void add_bytes(text_rules& rules, bool alone) {
  const int bytes = alone ? 256 : 128;
  for (int byte = 0; byte < bytes; ++byte) {
    const bool no_break =
        byte >= 0x80 && rules.no_break_spaces && is_no_break_space(static_cast<char32_t>(std::btowc(byte)));
    if (std::isspace(byte) != 0 || no_break) rules.white.add(static_cast<char>(byte));
    if (std::isprint(byte) != 0) rules.printable.add(static_cast<char>(byte));
  }
}

// Returns false if the SIMD kernels cannot know the white space of the locale.
bool add_characters(text_rules& rules) {
  constexpr char32_t once_white = 0x180E;
  if (rules.white != white_space || is_white(rules, once_white)) return false;
  for (const auto& group : kernel::utf8_white_space::groups) {
    for (char32_t character = group.first; character < group.first + 16; ++character) {
      if (is_white(rules, character)) rules.long_white.add(character);
    }
  }
  return true;
}

text_rules rules_of_locale(text_rules rules) {
  rules.facts = &facts_of_locale;
  const os::locale_kind kind = os::kind_of_locale();
  if (kind == os::locale_kind::c) {
    add_bytes_of_c(rules);
    return rules;
  }
  add_bytes(rules, kind == os::locale_kind::bytes);
  if (kind == os::locale_kind::bytes) return rules;
  const bool utf8 = kind == os::locale_kind::utf8;
  rules.encoding = utf8 && add_characters(rules) ? encoding::utf8 : encoding::multibyte;
  return rules;
}

}  // namespace

bool is_white(const text_rules& rules, char32_t character) {
  return rules.facts->is_white_space(character) || (rules.no_break_spaces && is_no_break_space(character));
}

std::uint64_t columns_of(const text_rules& rules, char32_t character) {
  const int columns = rules.facts->columns_of(character);
  return columns > 0 ? static_cast<std::uint64_t>(columns) : 0;
}

text_rules rules_of(const text_options& what) {
  text_rules rules;
  rules.no_break_spaces = what.no_break_spaces;
  if (what.encoding == text_encoding::locale) return rules_of_locale(rules);
  rules.facts = &facts_of_glibc;
  add_bytes_of_c(rules);
  if (what.encoding == text_encoding::bytes) return rules;
  rules.white = white_space;
  add_characters(rules);
  rules.encoding = encoding::utf8;
  return rules;
}

scan::character decode_utf8(const text_rules& rules, std::string_view data) {
  if (const scan::character found = scan::decode_utf8(data); found.size != 0) return found;
  // No library takes a continuation, or what a byte that is none cuts, for a character.
  if (static_cast<unsigned char>(data[0]) < 0xC2 || data.size() == 1 || !is_continuation(data[1])) {
    return {};
  }
  const os::decoded_character longer = rules.facts->decode_longer(data);
  if (longer.size > longest_utf8) return {};
  return {longer.value, longer.size};
}

}  // namespace riffle::inline v0
