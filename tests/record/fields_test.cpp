/// The fields of a line, as a range, by for_each and by split, against plain loops, between guard pages.
#include <riffle/fields.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <string>
#include <vector>

#include "tests/support/guarded.hpp"
#include "tests/support/oracles.hpp"

namespace riffle::test {
namespace {

static_assert(std::ranges::forward_range<field_view> && std::ranges::borrowed_range<field_view>);
static_assert(std::ranges::view<field_view> && std::copyable<field_view>);
static_assert(std::same_as<std::ranges::range_value_t<field_view>, std::string_view>);
static_assert(sizeof(field_view::iterator) <= 64);
static_assert(noexcept(fields({}, ',')) && noexcept(fields({}, ',', {})));
static_assert(std::ranges::forward_range<whitespace_field_view> &&
              std::ranges::borrowed_range<whitespace_field_view> && std::ranges::view<whitespace_field_view>);
static_assert(sizeof(whitespace_field_view::iterator) <= 64);
static_assert(noexcept(fields({}, whitespace)) && noexcept(fields({}, whitespace, {})));

using testing::ElementsAre;

template <class Separator>
std::vector<std::string_view> iterated(std::string_view line, Separator delimiter) {
  std::vector<std::string_view> found;
  for (const std::string_view field : fields(line, delimiter)) found.push_back(field);
  return found;
}

template <class Separator>
std::vector<std::string_view> called_with(std::string_view line, Separator delimiter) {
  std::vector<std::string_view> found;
  for_each(fields(line, delimiter), [&](std::string_view field) { found.push_back(field); });
  return found;
}

template <class Separator>
std::vector<std::string_view> split_up(std::string_view line, Separator delimiter) {
  std::vector<std::string_view> found(line.size() + 1);
  found.resize(fields(line, delimiter, found));
  return found;
}

void expect_right(std::string_view line, char delimiter) {
  const std::vector<std::string> expected = naive_fields(line, delimiter);
  constexpr decltype(&iterated<char>) ways[] = {iterated<char>, called_with<char>, split_up<char>};
  for (const auto way : ways) {
    const std::vector<std::string_view> found = way(line, delimiter);
    ASSERT_TRUE(std::ranges::equal(found, expected)) << line.size() << " bytes: " << line;
    std::size_t place = 0;
    for (const std::string_view field : found) {
      ASSERT_EQ(field.data(), line.data() + place) << "a field lies elsewhere";
      place += field.size() + 1;
    }
  }
}

TEST(fields, are_one_more_than_the_delimiters) {
  EXPECT_THAT(iterated("one,two,three", ','), ElementsAre("one", "two", "three"));
  EXPECT_THAT(iterated("", ','), ElementsAre(""));
  EXPECT_THAT(iterated({}, '\0'), ElementsAre(""));
  EXPECT_THAT(iterated(",", ','), ElementsAre("", ""));
  EXPECT_THAT(iterated("a,,b,", ','), ElementsAre("a", "", "b", ""));
  EXPECT_THAT(iterated("a,b", ';'), ElementsAre("a,b"));
  const field_view none;
  EXPECT_EQ(std::ranges::distance(none), 1);
}

TEST(fields, of_every_size_stay_within_the_line) {
  constexpr std::size_t most = 300;
  guarded memory(most);
  for (const std::string_view alphabet : {"ab,", "abcdefghijklmnopqrstuvwxyz,", "abcdefgh"}) {
    const std::string text = random_text(most, 7, alphabet);
    for (std::size_t size = 0; size <= most; ++size) {
      for (const std::span<char> bytes : {memory.first(size), memory.last(size)}) {
        std::copy_n(text.begin(), size, bytes.begin());
        expect_right({bytes.data(), size}, ',');
      }
    }
  }
}

void expect_words(std::string_view line) {
  std::vector<std::string_view> expected;
  std::size_t start = 0;
  for (std::size_t at = 0; at <= line.size(); ++at) {
    if (at != line.size() && line[at] != ' ' && line[at] != '\t') continue;
    if (at != start) expected.push_back(line.substr(start, at - start));
    start = at + 1;
  }
  for (const auto& found :
       {iterated(line, whitespace), called_with(line, whitespace), split_up(line, whitespace)}) {
    ASSERT_TRUE(std::ranges::equal(
        found, expected, {}, [](auto field) { return field.data(); },
        [](auto field) { return field.data(); }))
        << line;
    ASSERT_EQ(found, expected);
  }
}

TEST(fields, between_white_space_are_runs_of_other_bytes) {
  EXPECT_THAT(iterated("  a\t b  ", whitespace), ElementsAre("a", "b"));
  EXPECT_THAT(iterated("a\rb\n\v\fc", whitespace), ElementsAre("a\rb\n\v\fc"));
  EXPECT_TRUE(fields("", whitespace).empty());
  EXPECT_TRUE(fields(" \t ", whitespace).empty());
  EXPECT_TRUE(whitespace_field_view().empty());
  constexpr std::size_t most = 300;
  guarded memory(most);
  for (const std::string_view alphabet :
       {"ab \t", "abcdefghijklmnopqrstuvwxyz\r\n ", "  \t\t   a", "a", " "}) {
    const std::string text = random_text(most, 7, alphabet);
    for (std::size_t size = 0; size <= most; ++size) {
      for (const std::span<char> bytes : {memory.first(size), memory.last(size)}) {
        std::copy_n(text.begin(), size, bytes.begin());
        expect_words({bytes.data(), size});
      }
    }
  }
}

TEST(fields, of_every_alignment_and_byte_value_are_found) {
  const std::string text = random_text(400, 3, {"\0\x01\x7f\x80\x81\xff,", 7});
  for (std::size_t start = 0; start < 64; ++start) {
    for (const std::size_t size : {5U, 11U, 49U, 64U, 65U, 200U, 300U}) {
      for (const char delimiter : {'\0', '\x80', '\xff', ','}) {
        expect_right(std::string_view(text).substr(start, size), delimiter);
      }
    }
  }
}

TEST(fields, can_be_passed_more_than_once_and_outlive_the_view) {
  constexpr std::string_view line = "a,b,,c";
  auto first = fields(line, ',').begin();
  const auto before = first++;
  EXPECT_EQ(*before, "a");
  EXPECT_EQ(*first, "b");
  EXPECT_NE(before, first);
  auto again = fields(line, ',').begin();
  EXPECT_EQ(again, before);
  EXPECT_EQ(++again, first);
  while (again != std::default_sentinel) ++again;
  EXPECT_EQ(again, field_view::iterator());
  const auto found = std::ranges::find(fields(line, ','), std::string_view("c"));
  static_assert(!std::same_as<decltype(found), const std::ranges::dangling>);
  EXPECT_EQ((*found).data(), line.data() + 5);
}

TEST(fields, for_each_stops_at_false) {
  int calls = 0;
  for_each(fields("a,b,c", ','), [&](std::string_view) { return ++calls != 2; });
  EXPECT_EQ(calls, 2);
}

TEST(split, counts_the_fields_that_do_not_fit) {
  const std::string line = "zero,one,two,three,";
  for (std::size_t room = 0; room <= 7; ++room) {
    std::array<std::string_view, 7> all;
    all.fill("untouched");
    EXPECT_EQ(fields(line, ',', std::span(all).first(room)), 5U);
    const std::vector<std::string> expected = naive_fields(line, ',');
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_EQ(all[i], i < std::min<std::size_t>(room, 5) ? std::string_view(expected[i]) : "untouched")
          << room << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace riffle::test
