/// Every kernel tells valid UTF-8 from invalid, and the decoder that the scalar one uses does as a naive one.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "tests/kernel/compare.hpp"
#include "tests/support/utf8_text.hpp"

namespace riffle::test {
namespace {

using kernel::utf8_prefix;

utf8_prefix valid_prefix(const kernel::table& by, std::string_view text) {
  return by.valid_utf8(text.data(), text.size());
}

TEST_P(each_kernel, takes_every_code_point_and_no_other) {
  if (is_tested_with_another(&kernel::table::valid_utf8)) GTEST_SKIP() << "another kernel has the function";
  std::string all;
  std::uint64_t count = 0;
  for (char32_t character = 0; character <= 0x10FFFF; ++character) {
    if (character >= 0xD800 && character <= 0xDFFF) continue;
    all += encoded(character);
    ++count;
  }
  EXPECT_EQ(valid_prefix(kernels.library, all), (utf8_prefix{all.size(), count}));
  for (char32_t character = 0xD800; character <= 0xDFFF; ++character) {
    EXPECT_EQ(valid_prefix(kernels.library, encoded(character)), utf8_prefix());
  }
  for (char32_t character = 0x110000; character <= 0x1FFFFF; character += 0xFFF) {
    EXPECT_EQ(valid_prefix(kernels.library, encoded(character)), utf8_prefix());
  }
}

// Behind ASCII, so that the errors lie in any place of a vector; cut, or with ASCII or a continuation behind.
TEST_P(each_kernel, finds_every_wrong_pair_and_what_follows_it) {
  if (is_tested_with_another(&kernel::table::valid_utf8)) GTEST_SKIP() << "another kernel has the function";
  constexpr std::size_t longest = 5;  // of the ends
  guarded memory(100);
  const std::span<char> space = memory.last(70 + longest);
  std::ranges::fill(space, 'a');
  unsigned place = 0;
  for (unsigned first = 0; first < 256; ++first) {
    for (unsigned second = 0; second < 256; ++second) {
      for (const std::string_view third : {"", "z", "\x80", "\xBF"}) {
        for (const std::string_view behind : {"", "z", "\x80z", "\xC2"}) {
          std::string end{static_cast<char>(first), static_cast<char>(second)};
          end.append(third).append(behind);
          const std::size_t before = 70 - place++ % 70;
          utf8_prefix expected = valid_prefix(kernel::scalar(), end);
          expected.size += before;
          expected.characters += before;
          std::memset(space.last(longest).data(), 'a', longest);
          std::memcpy(space.last(end.size()).data(), end.data(), end.size());
          const std::span<char> text = space.last(before + end.size());
          ASSERT_EQ(valid_prefix(kernels.library, {text.data(), text.size()}), expected)
              << first << ' ' << second;
        }
      }
    }
  }
}

// One wrong byte at each place of a text of several steps of the SIMD kernels, dense and sparse.
TEST_P(each_kernel, finds_the_first_wrong_byte_of_utf8) {
  if (is_tested_with_another(&kernel::table::valid_utf8)) GTEST_SKIP() << "another kernel has the function";
  const std::string sparse = mixed_text(500, 1, true) + std::string(1100, 'x') + mixed_text(500, 3, true);
  for (const std::string& right : {mixed_text(2200, 2, true), std::string(2200, 'x'), sparse}) {
    for (std::size_t place = 0; place < right.size(); place += 3) {
      std::string wrong = right;
      wrong[place] = place % 2 == 0 ? '\xFF' : '\x80';
      ASSERT_EQ(valid_prefix(kernels.library, wrong), valid_prefix(kernel::scalar(), wrong)) << place;
    }
  }
}

bool is_decoded_as_by_the_oracle(std::string_view data) {
  const decoded expected = decode(data).value_or(decoded{});
  const auto [character, size] = scan::decode_utf8(data);
  return character == expected.character && size == expected.size;
}

TEST(decode_utf8, knows_all_sequences_of_up_to_three_bytes_and_the_borders_of_four) {
  EXPECT_EQ(scan::decode_utf8("").size, 0U);
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

TEST_P(each_kernel, counts_every_white_character_and_no_other) {
  kernel::utf8_white_space white;
  for (const char32_t character : wide_spaces) EXPECT_TRUE(white.add(character));
  for (char32_t character = 0x80; character <= 0xFFFF; ++character) {
    if (character >= 0xD800 && character <= 0xDFFF) continue;
    const std::string text = "a" + encoded(character) + "b";
    bool in_word = false;
    const bool is_white = wide_spaces.find(character) != std::u32string_view::npos;
    ASSERT_EQ(kernels.library.count_words_utf8(text.data(), text.size(), white, in_word), is_white ? 2U : 1U)
        << std::hex << static_cast<unsigned>(character);
  }
}

TEST(utf8_white_space, takes_no_character_outside_its_groups) {
  kernel::utf8_white_space white;
  for (const char32_t character : std::u32string_view(U"a\u0095\u180E\u2010\u4E00\uFEFF")) {
    EXPECT_FALSE(white.add(character));
  }
  EXPECT_EQ(white.by_low(), kernel::utf8_white_space().by_low());
}

}  // namespace
}  // namespace riffle::test
