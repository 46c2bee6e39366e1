/// The lines and words of memory of every size, by iterators and by for_each, against plain loops, between
/// guard pages.
#include <riffle/fields.hpp>
#include <riffle/lines.hpp>
#include <riffle/words.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/guarded.hpp"
#include "tests/support/inject.hpp"
#include "tests/support/oracles.hpp"

namespace riffle::test {
namespace {

static_assert(sizeof(line_view::iterator) <= 64 && sizeof(word_view::iterator) <= 64 + sizeof(byte_set));

// What a loop gave before it ended, and the offset of the error that ended it.
template <class Loop>
naive_records outcome_of(Loop loop) {
  naive_records found;
  try {
    loop([&](std::string_view record) { found.records.emplace_back(record); });
  } catch (const error& failure) {
    EXPECT_EQ(failure.code(), errc::record_too_long);
    found.too_long = failure.offset();
  }
  return found;
}

template <class View>
void expect_both(const View& view, const naive_records& expected, std::string_view text) {
  const naive_records iterated = outcome_of([&](auto take) {
    for (const std::string_view record : view) take(record);
  });
  const naive_records called = outcome_of([&](auto take) { for_each(view, take); });
  for (const naive_records* const found : {&iterated, &called}) {
    ASSERT_EQ(found->records, expected.records) << text.size() << " bytes: " << text;
    ASSERT_EQ(found->too_long, expected.too_long) << text;
  }
}

const line_options every_option[] = {{},
                                     {.delimiter = '\0'},
                                     {.delimiter = '\xff'},
                                     {.keep_delimiter = true},
                                     {.strip_cr = true},
                                     {.keep_delimiter = true, .strip_cr = true},
                                     {.max_length = 40},
                                     {.strip_cr = true, .max_length = 3}};

TEST(short_memory, gives_the_records_of_every_size) {
  constexpr std::size_t most = 300;
  guarded memory_pages(most);
  for (const std::string_view alphabet :
       {std::string_view("a\n\r\0\xff\x80", 6), std::string_view("abcdefghijklmnop\r\n"),
        std::string_view("a \t\0\x85\xff", 6), std::string_view("abcdefghijklmn \n"), std::string_view(" "),
        std::string_view("x")}) {
    const std::string text = random_text(most, 11, alphabet);
    for (std::size_t size = 0; size <= most; ++size) {
      for (const std::span<char> bytes : {memory_pages.first(size), memory_pages.last(size)}) {
        std::copy_n(text.begin(), size, bytes.begin());
        const std::string_view part(bytes.data(), size);
        const line_options& options = every_option[size % std::size(every_option)];
        expect_both(lines(memory(part), options), naive_bounded_lines(part, options), part);
        expect_both(lines(memory(part)), naive_bounded_lines(part, {}), part);
        expect_both(words(memory(part)), {naive_words(part)}, part);
      }
    }
  }
}

TEST(short_memory, gives_the_lines_of_every_alignment_and_option) {
  const std::string text = random_text(3000, 5, {"abcde\n\r\0\xff", 9});
  for (std::size_t start = 0; start < 64; ++start) {
    for (const line_options& options : every_option) {
      for (const std::size_t size :
           {std::size_t{3}, std::size_t{9}, std::size_t{30}, std::size_t{64}, std::size_t{130},
            detail::short_memory, detail::short_memory + 1, detail::short_memory + 700}) {
        const std::string_view part = std::string_view(text).substr(start, size);
        expect_both(lines(memory(part), options), naive_bounded_lines(part, options), part);
      }
    }
  }
}

TEST(short_memory, refuses_a_word_over_the_limit_at_its_offset) {
  for (const std::size_t start : {0U, 1U, 60U, 64U, 200U}) {
    const std::string fits = std::string(start, ' ') + std::string(64, 'a');
    expect_both(words(memory(fits), {.max_length = 64}), {naive_words(fits)}, fits);
    for (const std::string& end : {std::string(), std::string(" b"), std::string(1000, ' ')}) {
      const std::string text = fits + "a" + end;
      expect_both(words(memory(text), {.max_length = 64}), {.too_long = start}, text);
    }
  }
  EXPECT_THROW((void)words(memory("a"), {.max_length = 63}).begin(), error);
}

TEST(short_memory, takes_no_memory) {
  if (const auto reason = allocations::unavailable()) GTEST_SKIP() << *reason;
  const std::string text = random_text(2000, 2, "abcdefg ,\n");
  std::size_t count = 0;
  allocations::start_failing(1, true);
  for (const std::string_view line : lines(memory(text))) count += line.size();
  for (const std::string_view word : words(memory(text))) count += word.size();
  for (const std::string_view field : fields(text, ',')) count += field.size();
  for_each(lines(memory(text)), [&](std::string_view line) { count += line.size(); });
  for_each(words(memory(text)), [&](std::string_view word) { count += word.size(); });
  EXPECT_FALSE(allocations::stop_failing());
  EXPECT_NE(count, 0U);
}

}  // namespace
}  // namespace riffle::test
