/// One pass over a text decides for each character whether it stays, is replaced or goes.
#include "bench/show/markup.hpp"

#include <fmt/core.h>

#include <cmath>

#include "text/columns.hpp"

namespace riffle::bench {

namespace {

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
  const std::string valid = text::as_utf8(text);
  for (std::size_t i = 0; i < valid.size(); ++i) {
    // U+0080 to U+009F are controls too.
    if (valid[i] == '\xC2' && valid[i + 1] < '\xA0') {
      ++i;
    } else {
      out += escaped_byte(valid[i]);
    }
  }
  return out;
}

std::string plain_number(double value) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : "0";
}

}  // namespace riffle::bench
