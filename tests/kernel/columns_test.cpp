/// Every kernel marks what takes columns as the plain loop does, and that marks what it should.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "kernel/kernels.hpp"
#include "tests/support/guarded.hpp"

namespace riffle::test {
namespace {

using kernel::column_masks;
using kernel::column_rules;
using kernel::table;

// ASCII and the first bytes of U+00C0 to U+00FF, of U+0400 to U+047F; and of U+4000 to U+4FFF.
column_rules rules_of(bool utf8) {
  byte_set ones("\xC3\xD0\xD1");
  for (char c = ' '; c <= '~'; ++c) ones.add(c);
  return {kernel::plan(ones), kernel::plan(byte_set("\xE4")), utf8};
}

std::vector<column_masks> marks(const table& kernel, std::string_view data, const column_rules& rules) {
  std::vector<column_masks> masks(scan::mask_words(data.size()));
  kernel.match_columns(data.data(), data.size(), rules, masks.data());
  return masks;
}

std::string drawn_text(std::size_t size, std::mt19937& random) {
  constexpr std::string_view bytes("aZ ~\t\n\r\f\v\0\x7F\x80\xA9\xBF\xC2\xC3\xD0\xD1\xDF\xE4\xF0\xFF", 22);
  const std::size_t kinds = 1 + random() % bytes.size();
  std::string text(size, '\0');
  for (char& byte : text) byte = bytes[random() % 3 == 0 ? random() % bytes.size() : random() % kinds];
  return text;
}

void expect_as_scalar(const table& kernel, std::string_view data) {
  for (const bool utf8 : {false, true}) {
    EXPECT_EQ(marks(kernel, data, rules_of(utf8)), marks(kernel::scalar(), data, rules_of(utf8)));
  }
}

class each_column_kernel : public testing::TestWithParam<const table*> {};
INSTANTIATE_TEST_SUITE_P(kernels, each_column_kernel, testing::ValuesIn(kernel::available()),
                         [](const auto& tested) { return tested.param->name; });

TEST_P(each_column_kernel, marks_columns_ends_and_tabs) {
  struct row {
    std::string_view data;
    bool utf8;
    column_masks masks;
  };
  const std::string_view controls("a\n\t\f\r\v\0~", 8);
  for (const row& each :
       std::vector<row>{{controls, true, {0b10000001, 0, 0, 0b11010, 0b100}},
                        {"a\xC3\xA9z", false, {0b1011, 0, 0, 0, 0}},
                        {"a\xC3\xA9z", true, {0b1101, 0, 0, 0, 0}},
                        {"\xE4\xB8\x80z\xC2\xA0", true, {0b1000, 0b100, 0b10000, 0, 0}},
                        {"\xE4z\x80\xE4\x80z\x80", true, {0b100010, 0, 0, 0, 0}},
                        {"\xE5\xB8\x80\x80\xE4\xE4\x80\x80\x80", true, {0, 0b10000000, 0b1, 0, 0}},
                        {"\xC3z\xA9\xC3\xA9\xA9", true, {0b10010, 0, 0, 0, 0}},
                        {"z\xD0", true, {0b1, 0, 0, 0, 0}},
                        {"z\xC2", true, {0b1, 0, 0b10, 0, 0}}}) {
    EXPECT_EQ(marks(*GetParam(), each.data, rules_of(each.utf8)), std::vector{each.masks})
        << testing::PrintToString(each.data);
  }
  EXPECT_TRUE(marks(*GetParam(), "", rules_of(true)).empty());
}

TEST_P(each_column_kernel, knows_a_character_in_every_place) {
  for (std::size_t place = 0; place < 140; ++place) {
    for (const std::string_view kind : {"\xE4\xB8\x80", "\xC3\xA9", "\xE4\xB8", "\xE2\x80\x94"}) {
      expect_as_scalar(*GetParam(), std::string(place, 'x').append(kind).append("z"));
    }
  }
}

TEST_P(each_column_kernel, reads_nothing_outside_its_data) {
  guarded memory(4096);
  std::mt19937 random(1);
  for (std::size_t size = 0; size <= 400; ++size) {
    const std::string text = drawn_text(size, random);
    for (const std::span<char> place : {memory.first(size), memory.last(size)}) {
      std::ranges::copy(text, place.begin());
      expect_as_scalar(*GetParam(), {place.data(), place.size()});
      ASSERT_FALSE(HasFailure()) << testing::PrintToString(text);
    }
  }
}

}  // namespace
}  // namespace riffle::test
