/// Every kernel tells valid UTF-8 from invalid, and the words of a UTF-8 text, as a naive decoder does.
#include "kernel/utf8.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "kernel/kernels.hpp"
#include "tests/support/guarded.hpp"

namespace riffle::test {
namespace {

using kernel::table;
using kernel::utf8_prefix;
using kernel::utf8_white_space;

std::string encoded(char32_t character) {
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
std::optional<decoded> decode(std::string_view data) {
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

utf8_prefix expected_prefix(std::string_view data) {
  utf8_prefix valid;
  while (valid.size < data.size()) {
    const auto next = decode(data.substr(valid.size));
    if (!next) break;
    valid.size += next->size;
    ++valid.characters;
  }
  return valid;
}

constexpr std::u32string_view wide_spaces =
    U"\u0085\u00A0\u1680\u2000\u2001\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u2060\u3000";

utf8_white_space all_white() {
  utf8_white_space white;
  for (const char32_t character : wide_spaces) EXPECT_TRUE(white.add(character));
  return white;
}

std::uint64_t expected_words(std::string_view data, bool& in_word) {
  std::uint64_t words = 0;
  while (!data.empty()) {
    const decoded next = decode(data).value_or(decoded{0xFFFF, 1});
    const bool white = next.character < 0x80 ? white_space.contains(static_cast<char>(next.character))
                                             : wide_spaces.find(next.character) != std::u32string_view::npos;
    if (!white && !in_word) ++words;
    in_word = !white;
    data.remove_prefix(next.size);
  }
  return words;
}

utf8_prefix valid_prefix(const table& kernel, std::string_view data) {
  return kernel.valid_utf8(data.data(), data.size());
}

void expect_all(const table& kernel, std::string_view data) {
  static const utf8_white_space white = all_white();
  EXPECT_EQ(valid_prefix(kernel, data), expected_prefix(data));
  static const byte_set latin_white("\t\n\v\f\r \xA0");
  for (const bool before : {false, true}) {
    bool expected_after = before;
    const std::uint64_t expected = expected_words(data, expected_after);
    bool after = before;
    EXPECT_EQ(kernel.count_words_utf8(data.data(), data.size(), white, after), expected);
    EXPECT_EQ(after, expected_after);
    expected_after = before;
    std::uint64_t latin = 0;
    for (const char c : data) {
      const bool word = !latin_white.contains(c);
      if (word && !expected_after) ++latin;
      expected_after = word;
    }
    after = before;
    EXPECT_EQ(kernel.count_words_of_set(data.data(), data.size(), latin_white, after), latin);
    EXPECT_EQ(after, expected_after);
  }
}

/// Text of `size` bytes or a few more: mostly valid, of all lengths, with much white space.
std::string mixed_text(std::size_t size, unsigned seed, bool valid) {
  static const std::vector<std::string> pieces{"a",
                                               "word",
                                               " ",
                                               "\n",
                                               "\u00E9",
                                               "\u0431\u044B",
                                               "\u4E00",
                                               "\u3042",
                                               "\u3001",
                                               "\u3000",
                                               "\u2007",
                                               "\u00A0",
                                               "\u2060",
                                               "\u200B",
                                               "\u1680",
                                               "\u2028",
                                               "\u20AC",
                                               "\U0001F600",
                                               "\uFEFF",
                                               "\u2026",
                                               "\u0085",
                                               "\xE3\x80",
                                               "\xE2",
                                               "\xC2",
                                               "\x80",
                                               "\xA0",
                                               "\xED\xA0\x80",
                                               "\xC0\x80",
                                               "\xE0\x80\x80",
                                               "\xF0\x80\x80\x80",
                                               "\xF4\x90\x80\x80",
                                               "\xF5",
                                               "\xFF",
                                               "\xF0\x9F\x98"};
  constexpr std::size_t valid_pieces = 21;
  std::mt19937 random(seed);
  std::string text;
  while (text.size() < size) text += pieces[random() % (valid ? valid_pieces : pieces.size())];
  return text;
}

std::string kernel_name(const testing::TestParamInfo<const table*>& tested) {
  return tested.param->name;
}

class each_utf8_kernel : public testing::TestWithParam<const table*> {
 protected:
  const table& kernel() const { return *GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(kernels, each_utf8_kernel, testing::ValuesIn(kernel::available()), kernel_name);

TEST_P(each_utf8_kernel, takes_every_code_point_and_no_other) {
  std::string all;
  std::uint64_t count = 0;
  for (char32_t character = 0; character <= 0x10FFFF; ++character) {
    if (character >= 0xD800 && character <= 0xDFFF) continue;
    all += encoded(character);
    ++count;
  }
  EXPECT_EQ(valid_prefix(kernel(), all), (utf8_prefix{all.size(), count}));
  for (char32_t character = 0xD800; character <= 0xDFFF; ++character) {
    EXPECT_EQ(valid_prefix(kernel(), encoded(character)), utf8_prefix());
  }
  for (char32_t character = 0x110000; character <= 0x1FFFFF; character += 0xFFF) {
    EXPECT_EQ(valid_prefix(kernel(), encoded(character)), utf8_prefix());
  }
}

// Behind ASCII, so that the errors lie in any place of a vector; cut, or with ASCII or a continuation behind.
TEST_P(each_utf8_kernel, finds_every_wrong_pair_and_what_follows_it) {
  const std::string before(70, 'a');
  unsigned place = 0;
  for (unsigned first = 0; first < 256; ++first) {
    for (unsigned second = 0; second < 256; ++second) {
      for (const std::string_view third : {"", "z", "\x80", "\xBF"}) {
        for (const std::string_view behind : {"", "z", "\x80z", "\xC2"}) {
          std::string text = before.substr(place++ % 70);
          text += static_cast<char>(first);
          text += static_cast<char>(second);
          text.append(third).append(behind);
          ASSERT_EQ(valid_prefix(kernel(), text), expected_prefix(text)) << first << ' ' << second;
        }
      }
    }
  }
}

TEST_P(each_utf8_kernel, counts_every_white_character_and_no_other) {
  const utf8_white_space white = all_white();
  for (char32_t character = 0x80; character <= 0xFFFF; ++character) {
    if (character >= 0xD800 && character <= 0xDFFF) continue;
    const std::string text = "a" + encoded(character) + "b";
    bool in_word = false;
    const bool is_white = wide_spaces.find(character) != std::u32string_view::npos;
    ASSERT_EQ(kernel().count_words_utf8(text.data(), text.size(), white, in_word), is_white ? 2U : 1U)
        << std::hex << static_cast<unsigned>(character);
  }
}

TEST_P(each_utf8_kernel, reads_nothing_outside_its_data) {
  guarded memory(4096);
  expect_all(kernel(), {});
  for (std::size_t size = 0; size <= 1300; size += size < 260 ? 1 : 37) {
    for (const bool valid : {true, false}) {
      const std::string text = mixed_text(size, static_cast<unsigned>(size), valid).substr(0, size);
      for (const std::span<char> place : {memory.first(size), memory.last(size)}) {
        std::ranges::copy(text, place.begin());
        expect_all(kernel(), {place.data(), place.size()});
        ASSERT_FALSE(HasFailure()) << "size " << size;
      }
    }
  }
}

TEST_P(each_utf8_kernel, answers_the_same_at_every_alignment) {
  for (const bool valid : {true, false}) {
    const std::string text = mixed_text(400, 1, valid);
    for (std::size_t offset = 0; offset <= 64; ++offset) {
      for (std::size_t size = 0; size <= 200; size += 1 + offset % 3) {
        expect_all(kernel(), std::string_view(text).substr(offset, size));
        ASSERT_FALSE(HasFailure()) << "offset " << offset << ", size " << size;
      }
    }
  }
}

// One wrong byte at each place of a text of several steps of the SIMD kernels, dense and sparse.
TEST_P(each_utf8_kernel, finds_the_first_wrong_byte) {
  const std::string sparse = mixed_text(500, 1, true) + std::string(1100, 'x') + mixed_text(500, 3, true);
  for (const std::string& right : {mixed_text(2200, 2, true), std::string(2200, 'x'), sparse}) {
    for (std::size_t place = 0; place < right.size(); place += 3) {
      std::string wrong = right;
      wrong[place] = place % 2 == 0 ? '\xFF' : '\x80';
      ASSERT_EQ(valid_prefix(kernel(), wrong), expected_prefix(wrong)) << "place " << place;
    }
  }
}

TEST(utf8_white_space, takes_no_character_outside_its_groups) {
  utf8_white_space white;
  for (const char32_t character : std::u32string_view(U"a\u0095\u180E\u2010\u4E00\uFEFF")) {
    EXPECT_FALSE(white.add(character));
  }
  EXPECT_EQ(white.by_low(), utf8_white_space().by_low());
}

bool is_decoded_as_by_the_oracle(std::string_view data) {
  const decoded expected = decode(data).value_or(decoded{});
  const auto [character, size] = kernel::decode_utf8(data);
  return character == expected.character && size == expected.size;
}

TEST(decode_utf8, knows_all_sequences_of_up_to_three_bytes_and_the_borders_of_four) {
  EXPECT_EQ(kernel::decode_utf8("").size, 0U);
  constexpr std::string_view borders("\x00\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xFF", 10);
  std::string bytes(4, 'z');
  for (unsigned start = 0; start != 1U << 16U; ++start) {
    bytes[0] = static_cast<char>(start >> 8U);
    bytes[1] = static_cast<char>(start);
    for (const std::size_t size : {1U, 2U}) ASSERT_TRUE(is_decoded_as_by_the_oracle({bytes.data(), size}));
    for (unsigned third = 0; third != 256; ++third) {
      bytes[2] = static_cast<char>(third);
      ASSERT_TRUE(is_decoded_as_by_the_oracle({bytes.data(), 3})) << testing::PrintToString(bytes);
      if (borders.find(bytes[1]) == borders.npos || borders.find(bytes[2]) == borders.npos) continue;
      for (const char fourth : borders) {
        bytes[3] = fourth;
        ASSERT_TRUE(is_decoded_as_by_the_oracle(bytes)) << testing::PrintToString(bytes);
      }
    }
  }
}

}  // namespace
}  // namespace riffle::test
