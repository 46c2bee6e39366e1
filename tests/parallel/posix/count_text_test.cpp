/// One pass counts what GNU wc counts, in each encoding, wherever blocks and splits cut the text.
#include <riffle/count_text.hpp>

#include "tests/count/posix/oracle.hpp"
#include "tests/support/guarded.hpp"
#include "tests/support/support.hpp"
#include "tests/support/utf8_text.hpp"

namespace riffle::inline v0 {

inline void PrintTo(const text_counts& counted, std::ostream* out) {
  *out << counted.lines << ' ' << counted.words << ' ' << counted.characters << ' ' << counted.bytes << ' '
       << counted.longest_line;
}

}  // namespace riffle::inline v0

namespace riffle::test {
namespace {

using namespace std::string_view_literals;

#ifdef __GLIBC__
constexpr bool is_glibc_2_36 = __GLIBC__ == 2 && __GLIBC_MINOR__ == 36;
#else
constexpr bool is_glibc_2_36 = false;
#endif

constexpr auto utf8 = text_encoding::utf8;
constexpr auto bytes = text_encoding::bytes;

text_options all_of(text_encoding encoding) {
  return {.characters = true, .longest_line = true, .encoding = encoding};
}

struct edge {
  std::string_view text;
  text_encoding encoding;
  text_counts counts;  // lines, words, characters, bytes, columns
  bool no_break_spaces = true;
};

constexpr edge edges[] = {
    {"", utf8, {}},
    {"a", utf8, {0, 1, 1, 1, 1}},
    {"\n", utf8, {1, 0, 1, 1, 0}},
    {"\0"sv, utf8, {0, 1, 1, 1, 0}},
    {"\0 \0\n"sv, bytes, {1, 2, 4, 4, 1}},
    {"ab\tc\rd\n", utf8, {1, 3, 7, 7, 9}},
    {"a\vb\fc", utf8, {0, 3, 5, 5, 2}},
    {"é", utf8, {0, 1, 1, 2, 1}},
    {"é", bytes, {0, 1, 2, 2, 0}},
    {"一\t😀", utf8, {0, 2, 3, 8, 10}},
    {"e\u0301\u200B", utf8, {0, 1, 3, 6, 1}},
    {"a\u00A0b\u3000c\u2060d", utf8, {0, 4, 7, 12, 7}},
    {"a\u00A0b\u3000c\u2060d", utf8, {0, 2, 7, 12, 7}, false},
    {"a\xA0z", utf8, {0, 1, 2, 3, 2}},
    {"a\xA0z", bytes, {0, 2, 3, 3, 2}},
    {"a\xA0z", bytes, {0, 1, 3, 3, 2}, false},
    {"a\u0085b\u180E", utf8, {0, 1, 4, 7, 2}},
    {"\xC3", utf8, {0, 1, 0, 1, 0}},                      // cut
    {"\xF0\x9F\x98 ", utf8, {0, 1, 1, 4, 1}},             // cut
    {"\xE3\x80\n", utf8, {1, 1, 1, 3, 0}},                // a space, cut
    {"\xED\xA0\x80", utf8, {0, 1, 0, 3, 0}},              // a surrogate
    {"\xC0\x80\xE0\x80\x80", utf8, {0, 1, 0, 5, 0}},      // too long
    {"\xF0\x80\x80\x80", utf8, {0, 1, 0, 4, 0}},          // too long
    {"\xF8\x87\xBF\xBF\xBF", utf8, {0, 1, 0, 5, 0}},      // too long
    {"\xF4\x90\x80\x80", utf8, {0, 1, 1, 4, 0}},          // glibc takes 31 bits
    {"\xF8\x88\x80\x80\x80", utf8, {0, 1, 1, 5, 0}},      // the same
    {"\xFD\xBF\xBF\xBF\xBF\xBF", utf8, {0, 1, 1, 6, 0}},  // the same
    {"\xFE\xBF\xBF\xBF\xBF\xBF\xBF\xFF", utf8, {0, 1, 0, 8, 0}},
};

text_options options_of(const edge& each) {
  text_options options = all_of(each.encoding);
  options.no_break_spaces = each.no_break_spaces;
  return options;
}

TEST(count_text, counts_by_the_rules_of_gnu_wc) {
  for (const edge& each : edges) {
    EXPECT_EQ(count_text(memory(each.text), options_of(each)), each.counts)
        << testing::PrintToString(each.text);
  }
}

// Of each sequence, every cut.
TEST(count_text, counts_the_same_by_blocks_of_each_size) {
  for (const edge& each : edges) {
    const temporary_file file(each.text);
    for (std::size_t size = 1; size <= each.text.size() + 1; ++size) {
      const read_options reading{.method = method::read, .block_size = size};
      EXPECT_EQ(count_text(file.path(), options_of(each), reading), each.counts)
          << testing::PrintToString(each.text) << " by " << size;
    }
  }
}

EACH_METHOD(each_text_method);

TEST_P(each_text_method, counts_the_same_with_any_threads_and_splits) {
  for (const auto& [encoding, locale] : {std::pair(utf8, "C.UTF-8"), std::pair(bytes, "C")}) {
    const locale_variables back({});
    if (std::setlocale(LC_CTYPE, locale) == nullptr) GTEST_SKIP() << "no locale " << locale;
    for (unsigned seed = 0; seed != 4; ++seed) {
      const std::string text = mixed_text(seed * 300, seed, false);
      const text_counts right = expected(text);
      const temporary_file file(text);
      const text_counter counter(all_of(encoding));
      for (unsigned threads = 1; threads <= 8; ++threads) {
        for (const std::size_t split : {1U, 3U, 7U, 1000U}) {
          text_counts counts{.lines = 7};
          count_text_into(counts, source(file.path(), {.method = GetParam()}), counter,
                          {.threads = threads, .split_size = split});
          ASSERT_EQ(counts, right) << threads << " threads, splits of " << split;
        }
      }
    }
  }
}

TEST(count_text, counts_a_text_beside_guard_pages) {
  const locale_variables back({});
  if (std::setlocale(LC_CTYPE, "C.UTF-8") == nullptr) GTEST_SKIP() << "no locale C.UTF-8";
  guarded pages(4096);
  for (unsigned size = 0; size <= 400; ++size) {
    std::string text = mixed_text(size, size, false);
    text.resize(size);
    const text_counts right = expected(text);
    for (const std::span<char> place : {pages.first(size), pages.last(size)}) {
      std::ranges::copy(text, place.begin());
      ASSERT_EQ(count_text(memory(std::string_view(place.data(), place.size())), all_of(utf8)), right)
          << testing::PrintToString(text);
    }
  }
}

TEST(count_text, counts_what_is_asked_for_and_bytes) {
  const auto text = memory("ab cd\né\n");
  EXPECT_EQ(count_text(text), (text_counts{2, 3, 0, 9, 0}));
  EXPECT_EQ(count_text(text, {.lines = false, .words = false}), (text_counts{0, 0, 0, 9, 0}));
  EXPECT_EQ(count_text(text, {.lines = false}), (text_counts{0, 3, 0, 9, 0}));
  EXPECT_EQ(count_text(text, {.words = false, .characters = true}), (text_counts{2, 0, 8, 9, 0}));
  EXPECT_EQ(count_text(text, {.lines = false, .words = false, .longest_line = true}),
            (text_counts{0, 0, 0, 9, 5}));
  for (const text_encoding encoding : {utf8, bytes, text_encoding::locale}) {
    const bool single = encoding != utf8;
    EXPECT_EQ(detail::needs_only_size(text_counter({false, false, true, false, encoding})), single);
    EXPECT_TRUE(detail::needs_only_size(text_counter({false, false, false, false, encoding})));
    EXPECT_FALSE(detail::needs_only_size(text_counter({false, false, true, true, encoding})));
  }
}

TEST(count_text, has_its_threads_from_the_call) {
  EXPECT_EQ(code_of([] { text_counter({.threads = 2}); }), errc::invalid_argument);
  EXPECT_EQ(count_text(memory("a b\n"), {.threads = 2}).words, 2U);
}

TEST(count_text, leaves_what_was_counted_before_a_failure) {
  const temporary_file file(std::string(1000, 'x') + " \n");
  for (const unsigned threads : {1U, 2U}) {
    text_counts counted;
    const error failure = thrown_by([&] {
      count_text_into(counted,
                      source(file.path(), {.method = method::read, .block_size = 10, .max_size = 25}),
                      text_counter(), {.threads = threads});
    });
    EXPECT_THAT(failure, is_error(errc::too_large));
    EXPECT_GE(counted.bytes, 20U);
    EXPECT_LE(counted.bytes, 25U);
    EXPECT_EQ(counted.words, 1U);
  }
}

// The tables are those of glibc 2.36.
TEST(count_text, has_the_characters_of_the_c_library) {
  const locale_variables back({});
  if (!is_glibc_2_36 || std::setlocale(LC_CTYPE, "C.UTF-8") == nullptr)
    GTEST_SKIP() << "this is not glibc 2.36";
  const text_counter by_tables(all_of(utf8));
  const text_counter by_library(all_of(text_encoding::locale));
  std::string text;
  for (char32_t character = 1; character <= 0x110000; ++character) {
    text += encoded(character) + "a";
    if (character % 64 != 0) continue;
    text_counts one;
    text_counts other;
    count_text_into(one, source(memory(text)), by_tables, {.threads = 1});
    count_text_into(other, source(memory(text)), by_library, {.threads = 1});
    ASSERT_EQ(one, other) << std::hex << static_cast<unsigned>(character);
    text.clear();
  }
}

}  // namespace
}  // namespace riffle::test
