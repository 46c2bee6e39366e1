/// Every kernel of the tool knows the white space of a UTF-8 text.
#include <gtest/gtest.h>

#include <string>

#include "tests/kernel/compare.hpp"
#include "tests/support/utf8_text.hpp"

namespace riffle::test {
namespace {

using cli::kernel::utf8_white_space;

TEST_P(each_kernel, counts_every_white_character_and_no_other) {
  utf8_white_space white;
  for (const char32_t character : wide_spaces) EXPECT_TRUE(white.add(character));
  for (char32_t character = 0x80; character <= 0xFFFF; ++character) {
    if (character >= 0xD800 && character <= 0xDFFF) continue;
    const std::string text = "a" + encoded(character) + "b";
    bool in_word = false;
    const bool is_white = wide_spaces.find(character) != std::u32string_view::npos;
    ASSERT_EQ(kernels.tool.count_words_utf8(text.data(), text.size(), white, in_word), is_white ? 2U : 1U)
        << std::hex << static_cast<unsigned>(character);
  }
}

TEST(utf8_white_space, takes_no_character_outside_its_groups) {
  utf8_white_space white;
  for (const char32_t character : std::u32string_view(U"a\u0095\u180E\u2010\u4E00\uFEFF")) {
    EXPECT_FALSE(white.add(character));
  }
  EXPECT_EQ(white.by_low(), utf8_white_space().by_low());
}

}  // namespace
}  // namespace riffle::test
