/// Why this file exists: one pass over a text decides for each character whether it stays, is replaced or
/// goes.
#include "markup.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

namespace riffle::bench {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

unsigned char byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

// The length of the well-formed character at the front of `text`, which is not empty; 0: there is none. The
// ranges of the second byte are those of The Unicode Standard, table 3-7: no overlong forms, no surrogates.
std::size_t character_length(std::string_view text) {
  const unsigned char first = byte_at(text, 0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : (first >= 0xE0 ? 3 : 2);
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  const unsigned char second = byte_at(text, 1);
  const unsigned char lowest = first == 0xE0 ? 0xA0 : (first == 0xF0 ? 0x90 : 0x80);
  const unsigned char highest = first == 0xED ? 0x9F : (first == 0xF4 ? 0x8F : 0xBF);
  if (second < lowest || second > highest) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte_at(text, i) & 0xC0U) != 0x80) return 0;
  }
  return length;
}

std::string_view escaped_byte(const char& byte) {
  switch (byte) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    case '\t':
    case '\n':
      return " ";
    default:
      break;
  }
  const auto value = static_cast<unsigned char>(byte);
  return value < 0x20 || value == 0x7F ? std::string_view() : std::string_view(&byte, 1);
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    if (length == 1) out += escaped_byte(text.front());
    if (length == 0) out += replacement;
    // U+0080 to U+009F are controls too.
    const bool control = length == 2 && byte_at(text, 0) == 0xC2 && byte_at(text, 1) < 0xA0;
    if (length > 1 && !control) out += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

std::string plain_number(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : "0";
}

}  // namespace riffle::bench
