/// The tool has SIMD kernels for every instruction set of the library, and uses those of the library's
/// choice; each knows the white space of a UTF-8 text.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "kernel/simd.hpp"
#include "tests/kernel/compare.hpp"
#include "tests/support/utf8_text.hpp"

namespace riffle::test {
namespace {

using cli::kernel::utf8_white_space;

// Also those that this processor does not run.
TEST(tool_kernels, are_compiled_for_each_instruction_set_of_the_library) {
  for (const kernel::simd_table& compiled : kernel::simd_tables()) {
    if (compiled.kernels == nullptr) continue;
    // What no kernel of the tool prefetches is compiled once.
    const std::string_view name = compiled.kernels->name;
    EXPECT_EQ(cli::kernel::beside(*compiled.kernels).name,
              name.ends_with("_ahead") ? compiled.kernels->instructions : name);
  }
  EXPECT_EQ(&cli::kernel::beside(kernel::scalar()), &cli::kernel::scalar());
}

TEST(tool_kernels, are_those_beside_the_kernels_of_the_library) {
  EXPECT_EQ(&cli::kernel::active(), &cli::kernel::beside(kernel::active()));
}

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
