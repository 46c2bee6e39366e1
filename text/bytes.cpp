/// A list of bytes is read once from left to right: an item, or two with a '-' between them.
#include "text/bytes.hpp"

#include <charconv>

namespace riffle::text {

namespace {

char take_hexadecimal(std::string_view& text) {
  unsigned value = 0;
  const std::string_view digits = text.substr(0, 2);
  const char* const last = digits.data() + digits.size();
  const auto [end, failure] = std::from_chars(digits.data(), last, value, 16);
  if (digits.size() != 2 || failure != std::errc() || end != last)
    throw usage_error("\\x needs two hexadecimal digits; write \\x0A");
  text.remove_prefix(2);
  return static_cast<char>(value);
}

// The first byte of text that is not empty, which is removed from it.
char take_byte(std::string_view& text) {
  const char first = text.front();
  text.remove_prefix(1);
  if (first != '\\') return first;
  const char escape = text.empty() ? '\0' : text.front();
  if (!text.empty()) text.remove_prefix(1);
  switch (escape) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case '0':
      return '\0';
    case '\\':
    case '-':
      return escape;
    case 'x':
      return take_hexadecimal(text);
    default:
      throw usage_error("unknown escape; write \\n \\r \\t \\0 \\- \\xHH, or \\\\ for a backslash");
  }
}

void add_range(char first, char last, std::string& bytes) {
  const auto least = static_cast<unsigned char>(first);
  const auto most = static_cast<unsigned char>(last);
  if (least > most) throw usage_error("reversed range; write the smaller byte first");
  for (unsigned byte = least; byte <= most; ++byte) bytes += static_cast<char>(byte);
}

}  // namespace

std::string parse_bytes(std::string_view text) {
  if (text.empty()) throw usage_error("no byte; name at least one");
  if (text == "\\") return "\\";
  std::string bytes;
  while (!text.empty()) {
    const char first = take_byte(text);
    const bool range = text.size() > 1 && text.front() == '-';
    if (range) text.remove_prefix(1);
    add_range(first, range ? take_byte(text) : first, bytes);
  }
  return bytes;
}

char parse_byte(std::string_view text) {
  const std::string bytes = parse_bytes(text);
  if (bytes.size() != 1) throw usage_error("not one byte; write " RIFFLE_BYTE_SYNTAX);
  return bytes.front();
}

}  // namespace riffle::text
