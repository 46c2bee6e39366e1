/// Encodes and decodes UTF-8 naively, and makes texts of it, for the tests of what scans UTF-8.
#pragma once

#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/oracles.hpp"

namespace riffle::test {

inline std::string encoded(char32_t character) {
  const auto byte = [](char32_t bits) { return static_cast<char>(bits); };
  const auto more = [&](unsigned shift) { return byte(0x80U | (character >> shift & 0x3FU)); };
  if (character < 0x80) return {byte(character)};
  if (character < 0x800) return {byte(0xC0U | character >> 6U), more(0)};
  if (character < 0x10000) return {byte(0xE0U | character >> 12U), more(6), more(0)};
  return {byte(0xF0U | character >> 18U), more(12), more(6), more(0)};
}

struct decoded {
  char32_t character;
  std::size_t size;
};

/// Takes the bits together first, and judges the number they give: unlike the library, which judges bytes.
inline std::optional<decoded> decode(std::string_view data) {
  const auto lead = static_cast<unsigned char>(data.front());
  if (lead < 0x80) return decoded{lead, 1};
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC0 || lead >= 0xF8 || data.size() < size) return std::nullopt;
  char32_t character = lead & (0x7FU >> size);
  for (const char c : data.substr(1, size - 1)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >> 6U != 2) return std::nullopt;
    character = character << 6U | (byte & 0x3FU);
  }
  const bool surrogate = character >= 0xD800 && character <= 0xDFFF;
  if (surrogate || character > 0x10FFFF || encoded(character).size() != size) return std::nullopt;
  return decoded{character, size};
}

/// Characters of all lengths and widths, many of them white space; or also what is none.
inline const std::vector<std::string>& text_pieces(bool valid) {
  using namespace std::string_view_literals;
  constexpr std::string_view good =
      "a|word| "
      "|\n|\t|\r|\f|\v|\0|\x7F|\x1B|é|бы|一|あ|、|\u3000|\u2007|\u00A0|\u2060|\u200B|\u1680|\u2028|\u20AC|"
      "😀|\uFEFF|\u2026|\u0085|\u0301|한"sv;
  constexpr std::string_view bad =
      "|\xE3\x80|\xE2|\xC2|\x80|\xA0|\xED\xA0\x80|\xC0\x80|\xE0\x80\x80|\xF0\x80\x80\x80|\xF4\x90\x80\x80|"
      "\xF5|\xFF|"
      "\xF0\x9F\x98|\xF8\x88\x80\x80\x80|\xFC\x84\x80\x80\x80\x80"sv;
  static const std::vector<std::string> valid_pieces = naive_fields(good, '|');
  static const std::vector<std::string> all = naive_fields(std::string(good).append(bad), '|');
  return valid ? valid_pieces : all;
}

/// Text of `size` bytes or a few more: mostly valid, of all lengths, with much white space.
inline std::string mixed_text(std::size_t size, unsigned seed, bool valid) {
  const std::vector<std::string>& pieces = text_pieces(valid);
  std::mt19937 random(seed);
  std::string text;
  while (text.size() < size) text += pieces[random() % pieces.size()];
  return text;
}

}  // namespace riffle::test
