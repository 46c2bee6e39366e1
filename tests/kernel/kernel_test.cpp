/// Every SIMD kernel gives the answer of the scalar one, for every size, alignment and byte, also of rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "kernel/kernels.hpp"
#include "tests/kernel/compare.hpp"
#include "tests/support/oracles.hpp"
#include "tests/support/utf8_text.hpp"

namespace riffle::test {
namespace {

// Dense and sparse, well quoted and not.
std::vector<std::string> random_texts() {
  constexpr std::array<std::string_view, 6> alphabets{
      ",\n",   "a,\n",     "aaaaaaaaaaaaaaaaaaaa,\n",
      ",\n\"", "a,\n\"\r", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,,\n\r"};
  std::vector<std::string> texts;
  for (unsigned seed = 0; seed < 240; ++seed) {
    std::string& text = texts.emplace_back(random_text(seed, seed, alphabets[seed % alphabets.size()]));
    if (seed % 2 == 0 && seed > 10) {  // a quoted field in the midst
      const std::size_t from = seed % (seed - 8);
      text.replace(from, 8, ",\"b,\"\"\n\"").replace(from + 8, 1, seed % 4 == 0 ? "\n" : "\r");
    }
  }
  return texts;
}

// A plain field moves each pattern through all places of two blocks of 64. Doubled quotes stand before and
// behind.
std::vector<std::string> moved_patterns() {
  constexpr std::array<std::string_view, 12> between{
      "b\"",                 // a quote inside an unquoted field
      "\"c\"d",              // a byte behind a closing quote
      "\"c\"\rd",            // a CR behind it that ends no row
      "\"c\"\r,",            // the same before the end of a field
      "\"c\"\r\"",           // and before a quote
      "\"c\"\"",             // a quote that is not closed
      "\"c\"\"\"d",          // a byte behind a doubled quote and a closing one
      "\"\"\"\"\"\"d",       // the same behind an empty field's doubled quotes
      "\"c\",\"\"\"\"\"e",   // a doubled quote, closed and open again
      "\"c\"\r\nf\"",        // a quote inside a field behind a quoted one
      "\"c\"\n\"\"g",        // a byte behind an empty quoted field
      "\"c,\n\"\"\r\"\r\n",  // nothing bad
  };
  std::vector<std::string> texts;
  for (const std::string_view front : {"a", "\"\"\"a\"\"\"", "\"a\"\"b\""}) {
    for (const std::string_view middle : between) {
      for (std::size_t at = 10; at != 10 + 130; ++at) {
        std::string& text = texts.emplace_back(front);
        text += ',' + std::string(at - text.size() - 2, 'x') + ',';
        text += std::string(middle) + ",\"\"\"\",h\"i" + std::string(at % 3 * 40, 'y') + "\n";
      }
    }
  }
  return texts;
}

TEST_P(each_kernel, ends_fields_and_rows_in_pieces_of_any_size) {
  for (const std::string& text : random_texts()) {
    for (const std::size_t piece : {1U, 7U, 64U, 65U, 1000U})
      compare_beside_guard_pages({.text = text, .number = piece}, "match_rows", 1);
  }
  for (const std::size_t blocks :
       {61U, 62U, 63U, 64U, 70U})  // the last bit of `doubled` is for all behind it
    compare({.text = std::string(blocks * 64, 'x') + ",\"\"\"\"\n", .number = 9999}, "match_rows");
}

TEST_P(each_kernel, finds_bad_quoting_at_each_byte_of_a_block) {
  for (const std::string& text : moved_patterns()) {
    for (const std::size_t piece : {64U, 67U, 4096U})
      compare_beside_guard_pages({.text = text, .number = piece}, "match_rows", 1);
  }
}

// Which 64 bytes have doubled quotes is in the literal rows of scalar_test.cpp.
template <kernel::row_bytes bytes>
void expect_rows_of_parser(const std::string& text) {
  const naive_table naive =
      naive_rows(text, {.separator = bytes.field,
                        .quote = bytes.quote == '\0' ? std::nullopt : std::optional(bytes.quote),
                        .quoting = bytes.lax ? quoting::lax : quoting::strict});
  output expected{naive.bad.value_or(text.size()), naive.ends.size(), naive.row_ends.size()};
  expected.insert(expected.end(), naive.ends.begin(), naive.ends.end());
  expected.insert(expected.end(), naive.row_ends.begin(), naive.row_ends.end());
  output found = calls::rows<bytes>(kernel_tables(kernel::scalar()), {.text = text, .number = 66});
  found.resize(std::min(found.size(), expected.size()));
  ASSERT_EQ(found, expected) << testing::PrintToString(text);
}

TEST(scalar, ends_fields_and_rows_as_a_plain_parser_does) {
  for (const std::vector<std::string>& texts : {random_texts(), moved_patterns()}) {
    for (const std::string& text : texts) {
      expect_rows_of_parser<{',', '\n'}>(text);
      expect_rows_of_parser<{',', '\n', '"'}>(text);
      expect_rows_of_parser<{'\r', '\n', '"'}>(text);
      expect_rows_of_parser<{',', '\n', '"', true}>(text);
      expect_rows_of_parser<{'\r', '\n', '"', true}>(text);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(kernels, each_kernel, testing::ValuesIn(kernel::available()),
                         [](const auto& tested) { return std::string(tested.param->name); });

constexpr std::string_view mixed = "acG \n\tzz\x80\xE2";

std::vector<byte_set> sets() {
  std::vector<byte_set> list{byte_set(),           byte_set("\n"),      byte_set("cCgG"),
                             word_separators,      byte_set(",\n\r\""), byte_set("ab\x80\xFF"),
                             byte_set("\x80\x8F"), byte_set("aA0"),     byte_set(" \t\xA0"),
                             byte_set("apc"),      byte_set("\x01\x80")};
  byte_set upper_half;
  for (unsigned byte = 0x80; byte < 256; ++byte) upper_half.add(static_cast<char>(byte));
  list.insert(list.end(), {~byte_set(), upper_half, ~byte_set("x")});
  for (unsigned seed = 0; seed < 24; ++seed) list.emplace_back(random_text(1U << (seed % 8), seed));
  return list;
}

// Each set has a shape of its own.
std::vector<arguments> arguments_for(std::string_view text) {
  return {
      {.text = text, .set = byte_set("cCgG"), .number = 64},
      {.text = text, .set = word_separators, .byte = '\n', .in_word = true, .number = 65},
      {.text = text, .set = byte_set("\t\n\v\f\r \xA0"), .byte = 'z', .number = 66},
      {.text = text, .set = byte_set("\x01z~\x80\xFE\xA0"), .byte = '\x80', .in_word = true, .number = 100}};
}

// Sizes around four short lanes, four pages, and several times four pages.
std::vector<std::size_t> lane_sizes() {
  std::vector<std::size_t> sizes;
  for (const std::size_t whole : {512U, 4096U, 16128U, 16384U, 16640U, 2 * 16384U, 3 * 16384U}) {
    for (const std::size_t less : {257U, 256U, 255U, 65U, 64U, 63U, 8U, 1U}) sizes.push_back(whole - less);
    for (const std::size_t more : {0U, 1U, 8U, 63U, 64U, 65U, 255U, 256U, 257U})
      sizes.push_back(whole + more);
  }
  return sizes;
}

constexpr std::array<std::string_view, 3> calls_of_utf8{"valid_utf8", "words_of_utf8", "count_words"};

TEST_P(each_kernel, answers_the_same_at_every_size) {
  for (std::size_t size = 0; size <= 1300; size += size < 300 ? 1 : 37) {
    const auto seed = static_cast<unsigned>(size);
    const std::string bytes = random_text(size, seed, mixed);
    for (const arguments& each : arguments_for(bytes)) compare_beside_guard_pages(each, {}, 2);
    for (const bool valid : {true, false}) {
      const std::string text = mixed_text(size, seed, valid).substr(0, size);
      for (const std::string_view name : calls_of_utf8) {
        for (const bool in_word : {false, true})
          compare_beside_guard_pages({.text = text, .set = word_separators, .in_word = in_word}, name, 2);
      }
    }
  }
  for (std::size_t size = 0; size <= 2400; size += size < 1024 ? 2 : 8) {
    const std::string text = random_text(size, static_cast<unsigned>(size));
    for (const bool first : {false, true})
      compare_beside_guard_pages({.text = text, .in_word = first}, "reverse_", 3);
    compare_beside_guard_pages({.text = text}, "sum_", 2);
  }
}

TEST_P(each_kernel, answers_the_same_at_every_alignment) {
  const std::string bytes = random_text(1200, 1, mixed);
  for (std::size_t offset = 0; offset <= 64; ++offset) {
    for (const std::size_t size : {1U, 63U, 64U, 65U, 129U, 1000U}) {
      for (const arguments& each : arguments_for(std::string_view(bytes).substr(offset, size))) compare(each);
    }
    for (const bool valid : {true, false}) {
      const std::string text = mixed_text(400, 1, valid);
      for (std::size_t size = 0; size <= 200; size += 1 + offset % 3) {
        const std::string_view part = std::string_view(text).substr(offset, size);
        for (const std::string_view name : calls_of_utf8) {
          for (const bool in_word : {false, true})
            compare({.text = part, .set = word_separators, .in_word = in_word}, name);
        }
      }
    }
  }
}

TEST_P(each_kernel, tells_all_byte_values_apart) {
  std::string all(256, '\0');
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<char>(i);
  for (const char byte : all)
    compare({.text = all, .set = byte_set(std::string_view(&byte, 1)), .byte = byte});
  for (const byte_set& set : sets()) compare({.text = all, .set = set});
}

TEST_P(each_kernel, counts_past_what_a_byte_holds) {
  // 255 rounds of four 16, 32 or 64-byte vectors are what four vectors of byte counters hold.
  for (const std::size_t round : {64U, 128U, 256U}) {
    for (const std::size_t size :
         {255 * round - 1, 255 * round, 255 * round + 1, 256 * round, 257 * round + 65}) {
      for (const char byte : {'g', '\x80'})
        compare({.text = std::string(size, byte), .set = byte_set("cCgG"), .byte = 'g'}, "count_");
    }
  }
}

// Scans of four places at once meet others at borders of pages.
TEST_P(each_kernel, counts_each_byte_once_where_four_places_meet) {
  const byte_set some("cCgG\x80");
  for (const std::size_t size : lane_sizes()) {
    const auto seed = static_cast<unsigned>(size);
    const std::string text = random_text(size, seed, seed % 2 == 0 ? mixed : "aaaaaaaaaaaac ");
    for (const bool in_word : {false, true})
      compare_beside_guard_pages({.text = text, .set = some, .in_word = in_word}, "count_");
    for (const char byte : {'a', '\x80'}) compare({.text = std::string(size, byte), .set = some}, "count_");
    compare_beside_guard_pages({.text = random_text(size, seed)}, "sum_", 2);
  }
}

// Each border of the places, which are pages and then 512 bytes, by a word of three bytes and by a gap of
// one.
TEST_P(each_kernel, counts_a_word_that_crosses_places_once) {
  const std::size_t size = 2 * 16384 + 2248;
  std::string word(size, ' ');
  std::string gap(size, 'a');
  for (std::size_t page = 0; page <= 8; ++page) {
    for (const std::size_t border : {page * 4096, 2 * 16384 + page * 256}) {
      for (std::size_t at = std::max<std::size_t>(border, 66) - 66; at != border + 66; ++at) {
        word.replace(at, 3, "abc");
        ASSERT_EQ(kernels.library.count_words(word.data(), size, false), 1U) << at;
        word.replace(at, 3, "   ");
        gap[at] = '\n';
        ASSERT_EQ(kernels.library.count_words(gap.data(), size, true), 1U) << at;
        gap[at] = 'a';
      }
    }
  }
}

// Dense and sparse bits, and dense and sparse ends.
TEST_P(each_kernel, counts_bits_between_ends) {
  const auto masks = [](std::size_t size, unsigned seed, std::size_t zeros) {
    return random_text(size, seed, std::string(zeros, '\0') + "\x01\x80\xFF\x42");
  };
  for (unsigned round = 0; round < 132; ++round) {
    const std::size_t size = round % 66 * 8;
    const std::string bits = round % 3 == 0 ? std::string(size, '\xFF') : masks(size, round, round % 3 * 4);
    const std::string ends =
        round % 11 == 0 ? std::string(size, '\xFF') : masks(size, round + 1, 1U << round % 11);
    compare({.text = bits + ends}, "between");
  }
}

#if defined(__x86_64__)
const std::vector<std::string> instruction_sets{"avx512_pages", "avx512_far", "avx512_ahead",
                                                "avx512",       "avx2_pages", "avx2_ahead",
                                                "avx2",         "sse4",       "ssse3"};
#elif defined(__i386__)
const std::vector<std::string> instruction_sets{"sse4", "ssse3"};
#elif defined(__aarch64__)
const std::vector<std::string> instruction_sets{"neon"};
#else
const std::vector<std::string> instruction_sets;
#endif

// Also those that this processor does not run, as each version of Highway has targets of its own.
TEST(kernels, are_compiled_for_each_instruction_set) {
  std::vector<std::string> names;
  for (const kernel::simd_table& compiled : kernel::simd_tables()) {
    if (compiled.kernels != nullptr) names.emplace_back(compiled.kernels->name);
  }
  EXPECT_EQ(names, instruction_sets);
}

}  // namespace
}  // namespace riffle::test
