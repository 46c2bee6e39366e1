/// Follows the quoting styles "shell-escape" and "locale" of GNU's tools.
#include "text/quoted.hpp"

#include <algorithm>
#include <vector>

#include "text/os/locale.hpp"

namespace riffle::text {

namespace {

using os::environment_locale;
using character = environment_locale::character;

bool is_ascii(char byte) {
  return static_cast<unsigned char>(byte) < 0x80;
}

std::vector<character> characters_of(std::string_view text) {
  std::vector<character> found;
  if (std::ranges::all_of(text, is_ascii)) {
    for (std::size_t i = 0; i != text.size(); ++i) {
      found.push_back({text.substr(i, 1), text[i] >= ' ' && text[i] <= '~'});
    }
    return found;
  }
  const environment_locale locale;
  for (; !text.empty(); text.remove_prefix(found.back().bytes.size())) found.push_back(locale.first_of(text));
  return found;
}

// After a backslash: "n" for a newline, else each byte as three octal digits.
std::string escaped(const character& each) {
  constexpr std::string_view bytes = "\a\b\f\n\r\t\v";
  constexpr std::string_view letters = "abfnrtv";
  const std::size_t found = bytes.find(each.bytes.front());
  if (each.bytes.size() == 1 && found != std::string_view::npos) return {'\\', letters[found]};
  std::string text;
  for (const char byte : each.bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += '\\';
    for (const unsigned shift : {6U, 3U, 0U}) text += static_cast<char>('0' + (value >> shift & 7U));
  }
  return text;
}

// Whether a shell, or the text around the name, would take the character for something else.
bool is_special(const character& each, std::string_view name) {
  const char byte = each.bytes.front();
  const bool first = each.bytes.data() == name.data();
  if (!each.printable) return true;
  if (each.bytes.size() > 1) return each.bytes.find_first_of("[\\^`|", 1) != std::string_view::npos;
  if (byte == '{' || byte == '}') return name.size() == 1;
  if (byte == '#' || byte == '~') return first;
  return std::string_view(" !\"$&'()*:;<=>?[\\^`|").find(byte) != std::string_view::npos;
}

// Whether the character means itself between double quotes in C and in a shell.
bool stands_in_double_quotes(const character& each, std::string_view name) {
  const char byte = each.bytes.front();
  if (!each.printable) return false;
  if (each.bytes.size() > 1) return true;
  if (byte == '{' || byte == '}') return name.size() == 1;
  if (byte == '#' || byte == '~') return each.bytes.data() == name.data();
  return std::string_view("!\"$&()*;<=>?[\\^`|").find(byte) == std::string_view::npos;
}

}  // namespace

std::string shell_quoted(std::string_view name, quotes when) {
  const std::vector<character> characters = characters_of(name);
  const auto special = [name](const character& each) { return is_special(each, name); };
  if (when == quotes::where_needed && !name.empty() && std::ranges::none_of(characters, special)) {
    return std::string(name);
  }
  const auto in_double = [name](const character& each) { return stands_in_double_quotes(each, name); };
  if (name.find('\'') != std::string_view::npos && std::ranges::all_of(characters, in_double)) {
    return "\"" + std::string(name) + "\"";
  }
  std::string quoted = "'";
  bool escaping = false;  // between $' and '
  for (const character& each : characters) {
    if (each.printable && each.bytes != "'") {
      if (escaping) quoted += "''";
      escaping = false;
      quoted += each.bytes;
    } else if (each.printable) {
      quoted += "'\\''";
      escaping = false;
    } else {
      if (!escaping) quoted += "'$'";
      escaping = true;
      quoted += escaped(each);
    }
  }
  return quoted + "'";
}

std::string quoted_for_row(std::string_view name) {
  return name.find('\n') == std::string_view::npos ? std::string(name) : shell_quoted(name);
}

std::string locale_quoted(std::string_view word) {
  const bool utf8 = environment_locale().is_utf8();
  const std::string_view left = utf8 ? "\xe2\x80\x98" : "'";
  const std::string_view right = utf8 ? "\xe2\x80\x99" : "'";
  std::string quoted(left);
  for (const character& each : characters_of(word)) {
    if (each.bytes == right || each.bytes == "\\") quoted += '\\';
    quoted += each.printable ? std::string(each.bytes) : escaped(each);
  }
  return quoted.append(right);
}

}  // namespace riffle::text
