/// The scalar kernels, with which every other is compared, give answers that stand here.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <numeric>
#include <string>
#include <vector>

#include "tests/kernel/calls.hpp"

namespace riffle::test {
namespace {

constexpr std::uint64_t untouched = 0x5A5A5A5A5A5A5A5A;
constexpr std::uint64_t minus = ~std::uint64_t{0};  // -1

struct row {
  std::string_view call;
  arguments given;
  output expected;
};

std::string text_of(std::vector<std::uint64_t> words) {
  return {reinterpret_cast<const char*>(words.data()), words.size() * 8};
}

output chars(std::string_view bytes) {
  return {bytes.begin(), bytes.end()};
}

void expect_answers(const std::vector<row>& rows) {
  const kernel_tables scalar(kernel::scalar());
  for (const auto& [name, given, expected] : rows) {
    const auto call = std::ranges::find(kernel_calls, name, &kernel_call::name);
    ASSERT_NE(call, kernel_calls.end()) << name;
    EXPECT_EQ(call->make(scalar, given), expected) << name << ", " << testing::PrintToString(given.text);
  }
}

TEST(scalar, matches) {
  const std::string second = std::string(64, '.') + "a";
  expect_answers({
      {"match_byte", {.text = "aba"}, {0b101, untouched}},
      {"match_byte", {.text = second}, {0, 1, untouched}},
      {"match_byte", {.text = ""}, {untouched}},
      {"match_set", {.text = "abca", .set = byte_set("ac")}, {0b1101, untouched}},
      {"match_set", {.text = second, .set = byte_set("a\x80")}, {0, 1, untouched}},
      {"match_delimiter", {.text = "a\n\na", .byte = '\n'}, {1, 2, 0x5A5A}},
      {"match_word_edges", {.text = " ab c"}, {0b11010, 0, 0, 0, 0, 0, 0, 0, untouched, 1, 1}},
      {"match_word_edges",
       {.text = " ab\t", .in_word = true},
       {0b1011, 0, 0, 0, 0, 0, 0, 0, untouched, 1, 0}},
      {"match_word_edges", {.text = "\t\n\v\f\r a"}, {0b1000000, 0, 0, 0, 0, 0, 0, 0, untouched, 1, 1}},
      {"match_word_edges", {.text = second, .in_word = true}, {0, 0, 0, 0, 0, 0, 0, 0, untouched, 0, 1}},
      {"match_word_edges", {.text = "", .in_word = true}, {untouched, 0, 1}},
  });
}

// The place behind the last byte, the numbers of ends of fields and rows, these, and what is doubled.
TEST(scalar, matches_rows) {
  const std::string front(64, 'x');
  const std::string doubled = front + ",\"\"\"\",";
  const std::string far = std::string(64, ',') + std::string(70 * 64, 'x') + ",\"\"\"\"";
  output far_away{far.size(), 65, 0};
  for (std::uint64_t i = 0; i != 64; ++i) far_away.push_back(i);
  far_away.insert(far_away.end(), {71 * 64, std::uint64_t{1} << 63U});
  expect_answers({
      {"match_rows", {.text = "a,b\nc", .number = 9}, {5, 2, 1, 1, 3, 2, 0}},
      {"match_rows", {.text = "ab,\n", .number = 1}, {4, 2, 1, 2, 3, 2, 0, 0, 0, 0}},
      {"match_rows", {.text = "\"a,\r\"", .number = 9}, {5, 1, 0, 2, 0}},
      {"match_rows strict", {.text = "\"a,\"\"\n\",b\n", .number = 99}, {10, 2, 1, 7, 9, 2, 1}},
      {"match_rows strict", {.text = "\"c\"\rd", .number = 9}, {4, 0, 0, 0}},
      {"match_rows strict", {.text = "\"\"\"\",", .number = 1}, {5, 1, 0, 4, 0, 0, 1, 0, 0}},
      {"match_rows strict", {.text = "\"\",\"\"\n", .number = 9}, {6, 2, 1, 2, 5, 2, 0}},
      {"match_rows strict", {.text = doubled, .number = 99}, {70, 2, 0, 64, 69, 2}},
      {"match_rows strict", {.text = far, .number = 9999}, far_away},
      {"match_rows lax", {.text = "\"c\"d,e\"f\n", .number = 9}, {9, 2, 1, 4, 8, 2, 1}},
      {"match_rows lax", {.text = doubled, .number = 65}, {70, 2, 0, 64, 69, 0, 1}},
  });
}

TEST(scalar, counts) {
  const byte_set x("X");
  const std::string one = text_of({0b1011, 0b0100});
  const std::string member = text_of({0b100, 1, 0b100, 0});
  const std::string later = text_of({minus, 0b11, 0, 0b10});
  expect_answers({
      {"count_byte", {.text = "abca"}, {2}},
      {"find_text", {.text = "abcab"}, {2, 0, 1, 5, 0, 0}},  // c, a, bc, ba, abca twice
      {"count_set", {.text = "abca", .set = byte_set("ac")}, {3}},
      {"count_words", {.text = "two words"}, {2}},
      {"count_words", {.text = "two words", .in_word = true}, {1}},
      {"count_words", {.text = "\t\n\v\f\r \b"}, {1}},
      {"count_utf8", {.text = "n\u00E4\u20AC"}, {3}},
      {"count_utf8", {.text = "\x7F\x80\xBF\xC0\xFF"}, {3}},
      {"valid_utf8", {.text = "a\u00E9\u20AC\U0001F600"}, {10, 4}},
      {"valid_utf8", {.text = "a\xE2\x82"}, {1, 1}},
      {"between", {.text = one}, {2, 1, 0x5A5A5A5A, 1}},
      {"between", {.text = member}, {1, 1, 0x5A5A5A5A, 1}},
      {"between", {.text = later}, {66, 0, 0x5A5A5A5A, 1}},
      {"between", {.text = ""}, {0, 0x5A5A5A5A, 0}},
      {"count_words_of_set", {.text = "aXbXXc", .set = x}, {3, 1}},
      {"count_words_of_set", {.text = "a bX", .set = x, .in_word = true}, {0, 0}},
      {"words_of_utf8", {.text = "a\u2007b \u3001\n"}, {3, 0}},
      {"words_of_utf8", {.text = "a\u00A0\u2060", .in_word = true}, {0, 0}},
      {"words_of_utf8", {.text = "\u3000\xE3\x80 \xC2"}, {2, 1}},  // cut characters are of words
      {"words_of_utf8", {.text = "a\u0085b", .number = 2}, {1, 1}},
      {"line_starts",
       {.text = "b\nbb\nba\n\nb", .byte = '\n', .start = "bb"},
       {4, 0, 4, 0, 4, 0, 4, 1, 4, 3, 4, 1, 4, 1, 4, 1, 4, 1, 4, 1}},
      {"find_wide_line of UTF-8", {.text = "ab\nabc\nabcd\n", .set = byte_set("abcd"), .number = 2}, {6}},
      {"find_wide_line of UTF-8", {.text = "ab\nabc", .set = byte_set("abcd"), .number = 2}, {6}},
  });
}

TEST(scalar, adds) {
  const std::string ones(16, '\xFF');
  const std::string text(16, '\x01');
  expect_answers({
      {"sum_i8", {.text = ones}, {minus - 15, minus}},
      {"sum_u8", {.text = ones}, {16 * 0xFF, 0}},
      {"sum_i16", {.text = ones}, {minus - 7, minus}},
      {"sum_u16", {.text = ones}, {8 * 0xFFFF, 0}},
      {"sum_i32", {.text = ones}, {minus - 3, minus}},
      {"sum_u32", {.text = ones}, {4 * std::uint64_t{0xFFFFFFFF}, 0}},
      {"sum_i64", {.text = ones}, {minus - 1, minus}},
      {"sum_u64", {.text = ones}, {minus - 1, 1}},
      {"sum_i8", {.text = text}, {16, 0}},
      {"sum_i16", {.text = text}, {8 * 0x0101, 0}},
      {"sum_i32", {.text = text}, {4 * std::uint64_t{0x01010101}, 0}},
      {"sum_i64", {.text = text}, {2 * std::uint64_t{0x0101010101010101}, 0}},
  });
  // Two lanes get a second number.
  std::array<float, 34> numbers{};
  std::iota(numbers.begin(), numbers.end(), 0.0F);
  const std::array<double, 34> wide = [&] {
    std::array<double, 34> made{};
    std::ranges::copy(numbers, made.begin());
    return made;
  }();
  output lanes;
  for (unsigned i = 0; i != kernel::float_lanes; ++i)
    lanes.push_back(std::bit_cast<std::uint64_t>(i < 2 ? 0.1 + i + (32 + i) : 0.1 + i));
  expect_answers({
      {"add_f32", {.text = {reinterpret_cast<const char*>(numbers.data()), sizeof numbers}}, lanes},
      {"add_f64", {.text = {reinterpret_cast<const char*>(wide.data()), sizeof wide}}, lanes},
  });
}

TEST(scalar, reverses) {
  expect_answers({
      {"reverse_16", {.text = "abcdefgh"}, chars("badcfehg")},
      {"reverse_32", {.text = "abcdefgh"}, chars("dcbahgfe")},
      {"reverse_64", {.text = "abcdefghijklmnop"}, chars("hgfedcbaponmlkji")},
  });
}

}  // namespace
}  // namespace riffle::test
