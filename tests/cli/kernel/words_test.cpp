/// Every kernel of the tool counts the words of a UTF-8 text, and those of single bytes, as plain loops do.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cli/kernel/kernels.hpp"
#include "tests/cli/kernel/tool_kernels.hpp"
#include "tests/kernel/lane_sizes.hpp"
#include "tests/support/guarded.hpp"
#include "tests/support/oracles.hpp"
#include "tests/support/utf8_text.hpp"

namespace riffle::test {
namespace {

using cli::kernel::table;
using cli::kernel::utf8_white_space;

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

void expect_all(const table& kernel, std::string_view data) {
  static const utf8_white_space white = all_white();
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

class each_word_kernel : public testing::TestWithParam<const table*> {
 protected:
  const table& kernel() const { return *GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(kernels, each_word_kernel, testing::ValuesIn(tool_kernels()), name_of_kernel);

TEST_P(each_word_kernel, counts_every_white_character_and_no_other) {
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

TEST_P(each_word_kernel, reads_nothing_outside_its_data) {
  check_beside_guard_pages([this](std::string_view text) { expect_all(kernel(), text); });
}

TEST_P(each_word_kernel, answers_the_same_at_every_alignment) {
  check_at_every_alignment([this](std::string_view text) { expect_all(kernel(), text); });
}

// Scans of four places at once meet others at borders of pages.
TEST_P(each_word_kernel, counts_each_word_of_a_set_once_at_any_size_and_alignment) {
  const byte_set gaps("cCgG\x80");
  guarded memory(largest_lane_size + 64);
  for (const std::size_t size : lane_sizes()) {
    const std::string text = random_text(size, static_cast<unsigned>(size), "acG \n\tzz\x80\xE2");
    for (const std::span<char> place :
         {memory.first(size), memory.last(size), memory.last(size + 31).first(size)}) {
      std::ranges::copy(text, place.begin());
      for (const bool before : {false, true}) {
        bool in_word = before;
        bool expected_in_word = before;
        const std::uint64_t expected =
            cli::kernel::scalar().count_words_of_set(text.data(), size, gaps, expected_in_word);
        ASSERT_EQ(kernel().count_words_of_set(place.data(), size, gaps, in_word), expected)
            << "size " << size;
        ASSERT_EQ(in_word, expected_in_word);
      }
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

}  // namespace
}  // namespace riffle::test
