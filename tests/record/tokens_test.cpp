/// Words between bytes of one's choice, and with the ends of lines, are those of a plain loop.
#include <riffle/lines.hpp>
#include <riffle/tokens.hpp>
#include <riffle/words.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "tests/support/object.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

template <class Range>
std::vector<std::string> collect(Range&& words) {
  std::vector<std::string> all;
  for (const std::string_view word : words) all.emplace_back(word);
  return all;
}

template <class Range>
std::vector<std::string> collect_by_calls(Range&& words) {
  std::vector<std::string> all;
  for_each(words, [&](std::string_view word) { all.emplace_back(word); });
  return all;
}

// A new loop for each word.
template <class Range>
std::vector<std::string> collect_with_breaks(Range&& words) {
  std::vector<std::string> all;
  while (true) {
    const std::size_t before = all.size();
    for (const std::string_view word : words) {
      all.emplace_back(word);
      break;
    }
    if (all.size() == before) return all;
  }
}

// Sets of each shape that the SIMD kernels have, and more.
std::vector<byte_set> separator_sets() {
  std::vector<byte_set> all{white_space,
                            byte_set(" "),
                            byte_set("cCgG"),
                            byte_set(" \t\n.,;:!?\"'()-"),
                            byte_set("\n"),
                            byte_set(),
                            byte_set(std::string_view("\0\x7F\x80\xFF", 4)),
                            ~byte_set("abcdefghijklmnopqrstuvwxyz"),
                            ~byte_set()};
  byte_set with_space = white_space;
  with_space.add('\xA0');
  all.push_back(with_space);
  std::mt19937 random(3);
  for (int i = 0; i != 10; ++i) {
    byte_set any;
    for (auto members = random() % 200; members != 0; --members) any.add(static_cast<char>(random()));
    all.push_back(any);
  }
  return all;
}

std::vector<std::string> texts() {
  std::vector<std::string> all{"", "\n", "a", "a\n", "\n\n", " \n a  b\n\nc", "a b \n", " ", "a\n  ", "\r\n"};
  for (unsigned seed = 0; seed != 60; ++seed) {
    all.push_back(random_text(seed * 3, seed, "ab,. \n"));
    all.push_back(random_text(seed * 5, seed));
  }
  for (const std::size_t size : {63U, 64U, 65U, 128U, 4095U, 4096U, 4097U}) {
    all.push_back(std::string(size, 'x') + "\n" + std::string(size, 'y') + " z");
    all.push_back(std::string(size, ' ') + "\n" + std::string(size - 1, 'y') + "\n");
  }
  all.push_back(random_text(20'000, 1, "abcdefgh ijk,\nlmno pqr\r\n"));
  all.push_back(random_text(9'000, 2));
  return all;
}

TEST(tokens_of_memory, are_those_of_a_plain_loop) {
  for (const byte_set& separators : separator_sets()) {
    const word_options options{.separators = separators};
    for (const std::string& text : texts()) {
      const memory bytes(text);
      const auto expected_words = naive_tokens(text, separators, false);
      ASSERT_EQ(collect(words(bytes, options)), expected_words) << text;
      ASSERT_EQ(collect_by_calls(words(bytes, options)), expected_words) << text;
      const auto expected = naive_tokens(text, separators, true);
      ASSERT_EQ(collect(tokens(bytes, options)), expected) << text;
      ASSERT_EQ(collect_by_calls(tokens(bytes, options)), expected) << text;
      const auto view = tokens(bytes, options);
      ASSERT_EQ(static_cast<std::size_t>(std::ranges::distance(view)), expected.size());
      ASSERT_EQ(view.empty(), expected.empty());
    }
  }
}

TEST(tokens_of_blocks, are_those_of_a_plain_loop) {
  for (const byte_set& separators : separator_sets()) {
    const word_options options{.separators = separators};
    for (const std::string& text : texts()) {
      if (text.size() > 5000) continue;
      const auto expected_words = naive_tokens(text, separators, false);
      const auto expected = naive_tokens(text, separators, true);
      for (const std::size_t size : {1U, 2U, 3U, 5U, 63U, 64U, 65U, 4096U}) {
        const read_options reading{.block_size = size};
        bytes_in_order source{{text}};
        ASSERT_EQ(collect(words(source, options, reading)), expected_words) << text << size;
        source.given = 0;
        ASSERT_EQ(collect(tokens(source, options, reading)), expected) << text << size;
        source.given = 0;
        ASSERT_EQ(collect_with_breaks(tokens(source, options, reading)), expected) << text << size;
        source.given = 0;
        ASSERT_EQ(collect_by_calls(tokens(source, options, reading)), expected) << text << size;
      }
    }
  }
}

class each_token_method : public testing::TestWithParam<method> {};
INSTANTIATE_TEST_SUITE_P(methods, each_token_method, testing::ValuesIn(usable_methods()), method_name);

TEST_P(each_token_method, gives_the_same) {
  const temporary_file file(random_text(300'000, 1, "abcdefgh ijk,\nlmno pqr\r\n"));
  const byte_set marks(" ,.\r\n");
  for (const std::size_t size : {4096U, 65536U, 0U}) {
    const read_options reading{.method = GetParam(), .block_size = size};
    EXPECT_TRUE(collect(tokens(file.path(), reading)) == naive_tokens(file.contents(), white_space, true));
    EXPECT_TRUE(collect(tokens(file.path(), {.separators = marks}, reading)) ==
                naive_tokens(file.contents(), marks, true));
    EXPECT_TRUE(collect(words(file.path(), {.separators = marks}, reading)) ==
                naive_tokens(file.contents(), marks, false));
  }
}

TEST(tokens, have_as_many_ends_as_there_are_lines) {
  for (const std::string& text : texts()) {
    const auto all = tokens(memory(text));
    EXPECT_EQ(std::ranges::count_if(all, [](std::string_view word) { return word.empty(); }),
              std::ranges::distance(lines(memory(text))))
        << text;
  }
}

TEST(tokens, are_refused_if_they_are_too_long) {
  const std::string text = "a\nb " + std::string(65, 'x') + "\nc";
  EXPECT_EQ(error_of([&] { collect(tokens(memory(text), {.max_length = 64})); })->offset(), 4U);
  bytes_in_order source{{text}};
  auto all = tokens(source, {.max_length = 64}, {.block_size = 7});
  std::vector<std::string> before;
  const auto failure = error_of([&] {
    for (const std::string_view word : all) before.emplace_back(word);
  });
  EXPECT_EQ(failure->code(), errc::record_too_long);
  EXPECT_EQ(failure->offset(), 4U);
  EXPECT_EQ(before, (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(code_of([&] { (void)tokens(source, {.max_length = 63}); }), errc::invalid_argument);
}

}  // namespace
}  // namespace riffle::test
