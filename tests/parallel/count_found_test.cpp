/// The lines that contain a text, and its occurrences, wherever the input is cut, against plain loops.
#include <gtest/gtest.h>
#include <riffle/count.hpp>
#include <riffle/error.hpp>
#include <riffle/find.hpp>

#include <string>

#include "tests/support/oracles.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

std::uint64_t naive_occurrences(std::string_view bytes, std::string_view text) {
  std::uint64_t count = 0;
  for (std::size_t at = 0; (at = bytes.find(text, at)) != std::string_view::npos; at += text.size()) ++count;
  return count;
}

std::uint64_t naive_lines_with(std::string_view bytes, std::string_view text) {
  std::uint64_t count = 0;
  for (const std::string& line : naive_lines(bytes)) count += line.find(text) != std::string::npos ? 1U : 0U;
  return count;
}

// Counts by splits of that size, and by as many threads.
void expect_counts(std::string_view bytes, std::string_view text, std::size_t split, unsigned threads) {
  const parallel_options splitting{.threads = threads, .split_size = split};
  std::uint64_t total = 7;
  count_occurrences_into(total, source(memory(bytes)), text, splitting);
  ASSERT_EQ(total, naive_occurrences(bytes, text))
      << testing::PrintToString(text) << " in splits of " << split;
  if (text.find('\n') != std::string_view::npos) return;
  count_lines_with_into(total, source(memory(bytes)), text, splitting);
  ASSERT_EQ(total, naive_lines_with(bytes, text))
      << testing::PrintToString(text) << " in splits of " << split;
}

TEST(count_found, is_the_same_for_every_cut) {
  for (const std::string_view alphabet : {"a", "ab", "ab\n", "aaaaab\n", "a\n"}) {
    const std::string bytes = random_text(120, 5, alphabet);
    for (const std::string_view text :
         {"a", "aa", "aaa", "ab", "aba", "abab", "abaab", "\n", "\n\n", "a\na"}) {
      for (std::size_t split = 1; split <= bytes.size() + 1; ++split) {
        expect_counts(bytes, text, split, 1 + split % 2);
      }
    }
  }
}

// A text of each length stands across the first border of splits, at each distance from it; others overlap
// it.
TEST(count_found, finds_texts_of_1_to_300_bytes_across_a_border) {
  constexpr std::size_t split = 400;
  for (std::size_t length = 1; length <= 300; ++length) {
    const std::string text =
        random_text(length, static_cast<unsigned>(length), std::string_view("ab\0\xFF\xC3", 5));
    for (std::size_t before = 0; before <= length; before += length < 20 ? 1 : 37) {
      std::string bytes(1000, '.');
      bytes.replace(split - before, length, text);
      bytes.replace(split - before + length, length, text);
      if (before % 2 == 1) bytes[split - before + length / 2] = '\n';
      expect_counts(bytes, text, split, 2);
      expect_counts(bytes, text, 3, 1);  // most splits are shorter than the text
    }
    expect_counts(std::string(1000, 'a'), std::string(length, 'a'), split, 2);
  }
}

TEST(count_found, is_that_of_every_method_and_block) {
  std::string text = random_text(300'000, 9, "aab \n");
  text += std::string(400'000, 'a');  // a line that is longer than a block
  const temporary_file file(text);
  for (const method by : usable_methods()) {
    for (const std::size_t block_size : {0U, 4096U, 70'001U}) {
      const read_options reading{.method = by, .block_size = block_size};
      for (const std::string_view wanted : {"aba", "aa", "b aab"}) {
        EXPECT_EQ(count_occurrences(file.path(), wanted, {.threads = 2}, reading),
                  naive_occurrences(text, wanted));
        EXPECT_EQ(count_lines_with(file.path(), wanted, {}, reading), naive_lines_with(text, wanted));
      }
    }
  }
}

TEST(count_found, takes_any_bytes_and_refuses_no_text) {
  const std::string bytes("\0\0\xFF\0\n\xC3\0\0", 8);
  EXPECT_EQ(count_occurrences(memory(bytes), std::string_view("\0\0", 2)), 2U);
  EXPECT_EQ(count_lines_with(memory(bytes), std::string_view("\xFF\0", 2)), 1U);
  EXPECT_EQ(count_lines_with(memory(""), "a"), 0U);
  EXPECT_EQ(count_occurrences(memory("a\n"), "a\n\n"), 0U);
  std::uint64_t counted = 7;
  for (const auto& call : std::initializer_list<std::function<void()>>{
           [&] { (void)count_occurrences(memory("a"), "", {.counted = &counted}); },
           [&] { (void)count_lines_with(memory("a"), ""); },
           [&] { (void)count_lines_with(memory("a"), "a\nb"); }}) {
    EXPECT_EQ(thrown_by(call).code(), errc::invalid_argument);
  }
}

TEST(find, a_text_of_every_length_at_every_place) {
  EXPECT_EQ(scan::find("abc", "", 2), 2U);
  EXPECT_EQ(scan::find("abc", "", 4), std::string_view::npos);
  EXPECT_EQ(scan::find({}, "a"), std::string_view::npos);
  for (const std::string_view alphabet : {"ab", "aaaaaaaab", " e", "xyz\x80"}) {
    const std::string bytes = random_text(700, 4, alphabet);
    for (std::size_t size = 1; size <= 300; ++size) {
      for (std::size_t place = 0; place + size <= bytes.size(); place += 1 + size % 41) {
        const std::string text = bytes.substr(place, size);
        ASSERT_EQ(scan::find(bytes, text, place / 2), bytes.find(text, place / 2)) << size << ' ' << place;
        ASSERT_EQ(scan::find(bytes, text + "Q"), std::string_view::npos);
      }
    }
  }
}

}  // namespace
}  // namespace riffle::test
