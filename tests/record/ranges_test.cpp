/// Records model the ranges they are said to, and work with what the standard has for ranges.
#include <riffle/blocks.hpp>
#include <riffle/bytes.hpp>
#include <riffle/columns.hpp>
#include <riffle/fields.hpp>
#include <riffle/line_index.hpp>
#include <riffle/lines.hpp>
#include <riffle/numbered_lines.hpp>
#include <riffle/numbers.hpp>
#include <riffle/rows.hpp>
#include <riffle/tokens.hpp>
#include <riffle/value_counts.hpp>
#include <riffle/values.hpp>
#include <riffle/words.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <ranges>
#include <sstream>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

template <class Range>
constexpr bool single_pass = std::ranges::input_range<Range> && !std::ranges::forward_range<Range> &&
                             std::movable<Range> && !std::copyable<Range>;
template <class Range>
constexpr bool borrowed_view = std::ranges::forward_range<Range> && std::ranges::borrowed_range<Range> &&
                               std::ranges::view<Range> && std::copyable<Range>;

static_assert(single_pass<line_range> && single_pass<word_range> && single_pass<byte_range>);
static_assert(single_pass<row_range> && single_pass<column_range<std::string_view, double>>);
static_assert(single_pass<block_range> && single_pass<value_range<std::uint32_t>>);
static_assert(single_pass<span_range<value_range<std::uint32_t>>>);
static_assert(std::ranges::input_range<span_range<value_range<std::uint32_t>&>>);
static_assert(std::same_as<std::ranges::range_value_t<decltype(values<float>(memory()).spans())>,
                           std::span<const float>>);
static_assert(borrowed_view<line_view> && borrowed_view<word_view>);
static_assert(std::same_as<std::ranges::range_value_t<line_range>, std::string_view>);
static_assert(std::same_as<std::ranges::range_value_t<word_view>, std::string_view>);
static_assert(std::same_as<decltype(lines(memory())), line_view>);
static_assert(std::same_as<decltype(lines("path")), line_range>);
static_assert(std::same_as<decltype(lines(std::string())), line_range>);

constexpr std::string_view text = "one two\nthree\n\nfour\n";

static_assert(single_pass<token_range> && borrowed_view<token_view> && single_pass<number_range<double>>);

TEST(ranges, have_iterators_with_an_arrow) {
  const temporary_file file(text);
  const auto size_of_first = [](auto&& records) { return records.begin()->size(); };
  EXPECT_EQ(size_of_first(lines(file.path())), 7U);
  EXPECT_EQ(size_of_first(lines(memory(text))), 7U);
  EXPECT_EQ(size_of_first(words(file.path())), 3U);
  EXPECT_EQ(size_of_first(tokens(memory(text))), 3U);
  EXPECT_EQ(size_of_first(fields(text, ' ')), 3U);
  EXPECT_EQ(size_of_first(fields(text, whitespace)), 3U);
  EXPECT_EQ(size_of_first(blocks(file.path())), text.size());
  EXPECT_EQ(size_of_first(rows(file.path())), 1U);
  EXPECT_EQ(rows(file.path()).begin()->begin()->size(), 7U);
  EXPECT_EQ(riffle::numbered_lines(file.path()).begin()->number, 1U);
  EXPECT_EQ((values<std::array<char, 4>>(file.path()).begin()->back()), ' ');
  EXPECT_EQ(size_of_first(line_index(file.path())), 7U);
  value_counter counter;
  counter.add("one");
  EXPECT_EQ(counter.begin()->value, "one");
}

TEST(ranges, fill_what_takes_views) {
  const temporary_file file(text);
  std::ostringstream out;
  std::ranges::copy(lines(file.path()), std::ostream_iterator<std::string_view>(out, ";"));
  EXPECT_EQ(out.str(), "one two;three;;four;");
  std::vector<std::string> all;
  for (const std::string_view line : lines(file.path())) all.emplace_back(line);
  EXPECT_EQ(all.size(), 4U);
}

TEST(ranges, work_with_the_algorithms) {
  const temporary_file file(text);
  const auto empty = [](std::string_view line) { return line.empty(); };
  EXPECT_EQ(std::ranges::count_if(lines(file.path()), empty), 1);
  EXPECT_EQ(std::ranges::count(bytes(file.path()), 'o'), 3);
  EXPECT_EQ(std::ranges::distance(values<std::uint32_t>(file.path())), 5);
  EXPECT_EQ(std::ranges::distance(rows(file.path(), {.method = method::read})), 3);
  std::string joined;
  std::ranges::for_each(words(file.path()), [&](std::string_view word) { joined += word; });
  EXPECT_EQ(joined, "onetwothreefour");
  std::size_t size = 0;
  std::ranges::for_each(blocks(file.path()), [&](const block& part) { size += part.size(); });
  EXPECT_EQ(size, text.size());
}

TEST(ranges, work_with_the_views) {
  const temporary_file file(text);
  line_range all = lines(file.path());
  std::vector<std::size_t> sizes;
  auto chosen = all | std::views::filter([](std::string_view line) { return !line.empty(); }) |
                std::views::transform([](std::string_view line) { return line.size(); }) |
                std::views::take(2);
  for (const std::size_t size : chosen) sizes.push_back(size);
  EXPECT_EQ(sizes, (std::vector<std::size_t>{7, 5}));

  std::vector<std::string> first;
  for (const std::string_view word : words(memory(text)) | std::views::take(3)) first.emplace_back(word);
  EXPECT_EQ(first, (std::vector<std::string>{"one", "two", "three"}));
}

TEST(ranges, of_memory_can_be_passed_more_than_once) {
  const auto check = [](auto view, const std::vector<std::string>& expected) {
    for (int pass = 0; pass < 2; ++pass) {
      std::vector<std::string> found;
      for (const std::string_view record : view) found.emplace_back(record);
      EXPECT_EQ(found, expected);
    }
    auto one = view.begin();
    auto other = one++;
    EXPECT_EQ(other, view.begin());
    EXPECT_NE(one, other);
    EXPECT_EQ(++other, one);
    const auto copy = one;
    const std::string_view before = *copy;
    ++one;
    EXPECT_EQ(*copy, before);
    EXPECT_EQ(before, expected[1]);
    EXPECT_EQ(*one, expected[2]);
    while (one != view.end()) ++one;
    EXPECT_EQ(one, decltype(one)());
  };
  check(lines(memory(text)), naive_lines(text));
  check(words(memory(text)), naive_words(text));
}

TEST(ranges, of_memory_outlive_the_view) {
  const auto found = std::ranges::find(lines(memory(text)), std::string_view("three"));
  static_assert(!std::same_as<decltype(found), const std::ranges::dangling>);
  EXPECT_EQ((*found).data(), text.data() + 8);
}

TEST(ranges, keep_empty_lines_apart) {
  const line_view view = lines(memory("\n\n\n"));
  auto it = view.begin();
  const auto first = it;
  ++it;
  EXPECT_NE(first, it);
  EXPECT_EQ(std::ranges::distance(view), 3);
}

// It holds a block, which belongs to another range then.
template <class Range>
void expect_no_bytes_once_moved_from(Range all) {
  static_cast<void>(*all.begin());
  Range owner = std::move(all);
  std::size_t found = 0;
  const auto failure_of_loop = [&found](Range& range) {
    return error_of([&] {
      for (auto&& each : range) found += sizeof each != 0 ? 1U : 0U;
    });
  };
  for (int turn = 0; turn != 2; ++turn) {
    const auto failure = failure_of_loop(all);
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->code(), errc::invalid_argument);
  }
  EXPECT_EQ(found, 0U);
  all = std::move(owner);
  EXPECT_FALSE(failure_of_loop(all));
  EXPECT_NE(found, 0U);
  EXPECT_TRUE(failure_of_loop(owner));
}

TEST(ranges, that_were_moved_from_have_no_bytes) {
  const temporary_file file(text);
  expect_no_bytes_once_moved_from(lines(file.path()));
  expect_no_bytes_once_moved_from(riffle::numbered_lines(file.path()));
  expect_no_bytes_once_moved_from(words(file.path()));
  expect_no_bytes_once_moved_from(rows(file.path()));
  expect_no_bytes_once_moved_from(bytes(file.path()));
  expect_no_bytes_once_moved_from(values<char16_t>(memory(std::string_view("abcdefgh"))));
  const value_options swapped{.order = std::endian::native == std::endian::big ? std::endian::little
                                                                               : std::endian::big};
  const temporary_file large(patterned_bytes(100'000));  // handed out in copies of a few KiB
  expect_no_bytes_once_moved_from(values<char16_t>(large.path(), swapped).spans());
}

TEST(for_each, only_a_bool_asks_to_stop) {
  const temporary_file file(std::string("\0a\0b", 4));
  int sum = 0;
  for_each(bytes(file.path()), [&sum](char byte) { return sum += byte; });
  EXPECT_EQ(sum, 'a' + 'b');
}

}  // namespace
}  // namespace riffle::test
