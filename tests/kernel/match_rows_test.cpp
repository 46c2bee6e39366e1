/// Every kernel ends fields and rows where the scalar one does, which ends them where a plain parser does,
/// and finds the first byte that breaks the rules of quoting, wherever that byte lies.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "tests/kernel/compare.hpp"
#include "tests/support/oracles.hpp"

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

}  // namespace
}  // namespace riffle::test
