/// The fields of a line and the words between bytes of one's choice are those of plain loops.
#include <riffle/fields.hpp>
#include <riffle/lines.hpp>
#include <riffle/words.hpp>

#include <ranges>

#include "tests/support/guarded.hpp"
#include "tests/support/support.hpp"

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

// Each way gives these fields, where they lie in the line.
template <class Separator>
void expect_fields(std::string_view line, Separator separator,
                   const std::vector<std::string_view>& expected) {
  const auto place_of = [](std::string_view field) { return field.data(); };
  for (const auto& found :
       {iterated(line, separator), called_with(line, separator), split_up(line, separator)}) {
    ASSERT_EQ(found, expected) << line;
    ASSERT_TRUE(std::ranges::equal(found, expected, {}, place_of, place_of))
        << "a field lies elsewhere: " << line;
  }
}

void expect_right(std::string_view line, char delimiter) {
  std::vector<std::string_view> expected;
  std::size_t place = 0;
  for (const std::string& field : naive_fields(line, delimiter)) {
    expected.push_back(line.substr(place, field.size()));
    ASSERT_EQ(expected.back(), field);
    place += field.size() + 1;
  }
  expect_fields(line, delimiter, expected);
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
  for (const std::string_view alphabet : {"ab,", "abcdefghijklmnopqrstuvwxyz,", "abcdefgh"})
    beside_guard_pages(random_text(300, 7, alphabet), [](std::string_view line) { expect_right(line, ','); });
}

void expect_words(std::string_view line) {
  std::vector<std::string_view> expected;
  std::size_t start = 0;
  for (std::size_t at = 0; at <= line.size(); ++at) {
    if (at != line.size() && line[at] != ' ' && line[at] != '\t') continue;
    if (at != start) expected.push_back(line.substr(start, at - start));
    start = at + 1;
  }
  expect_fields(line, whitespace, expected);
}

TEST(fields, between_white_space_are_runs_of_other_bytes) {
  EXPECT_THAT(iterated("  a\t b  ", whitespace), ElementsAre("a", "b"));
  EXPECT_THAT(iterated("a\rb\n\v\fc", whitespace), ElementsAre("a\rb\n\v\fc"));
  EXPECT_TRUE(fields("", whitespace).empty());
  EXPECT_TRUE(fields(" \t ", whitespace).empty());
  EXPECT_TRUE(whitespace_field_view().empty());
  for (const std::string_view alphabet : {"ab \t", "abcdefghijklmnopqrstuvwxyz\r\n ", "  \t\t   a", "a", " "})
    beside_guard_pages(random_text(300, 7, alphabet), expect_words);
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

template <class Range>
std::vector<std::string> called_copies_of(Range&& words) {
  std::vector<std::string> all;
  for_each(words, [&](std::string_view word) { all.emplace_back(word); });
  return all;
}

// A new loop for each word.
template <class Range>
std::vector<std::string> copies_with_breaks_of(Range&& words) {
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
  std::vector<byte_set> all{word_separators,
                            byte_set(" "),
                            byte_set("cCgG"),
                            byte_set(" \t\n.,;:!?\"'()-"),
                            byte_set("\n"),
                            byte_set(),
                            byte_set(std::string_view("\0\x7F\x80\xFF", 4)),
                            ~byte_set("abcdefghijklmnopqrstuvwxyz"),
                            ~byte_set()};
  byte_set with_space = word_separators;
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
      ASSERT_EQ(copies_of(words(bytes, options)), expected_words) << text;
      ASSERT_EQ(called_copies_of(words(bytes, options)), expected_words) << text;
      const auto expected = naive_tokens(text, separators, true);
      ASSERT_EQ(copies_of(tokens(bytes, options)), expected) << text;
      ASSERT_EQ(called_copies_of(tokens(bytes, options)), expected) << text;
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
      const auto expected = naive_tokens(text, separators, true);
      for (const std::size_t size : {1U, 2U, 3U, 5U, 63U, 64U, 65U, 4096U}) {
        const read_options reading{.block_size = size};
        bytes_in_order source{{text}};
        const auto rewound = [&]() -> bytes_in_order& {
          source.given = 0;
          return source;
        };
        ASSERT_EQ(copies_of(words(rewound(), options, reading)), naive_tokens(text, separators, false))
            << text << size;
        ASSERT_EQ(copies_of(tokens(rewound(), options, reading)), expected) << text << size;
        ASSERT_EQ(copies_with_breaks_of(tokens(rewound(), options, reading)), expected) << text << size;
        ASSERT_EQ(called_copies_of(tokens(rewound(), options, reading)), expected) << text << size;
      }
    }
  }
}

EACH_METHOD(each_token_method);

TEST_P(each_token_method, gives_the_same) {
  const temporary_file file(random_text(300'000, 1, "abcdefgh ijk,\nlmno pqr\r\n"));
  const byte_set marks(" ,.\r\n");
  for (const std::size_t size : {4096U, 65536U, 0U}) {
    const read_options reading{.method = GetParam(), .block_size = size};
    EXPECT_TRUE(copies_of(tokens(file.path(), reading)) ==
                naive_tokens(file.contents(), word_separators, true));
    EXPECT_TRUE(copies_of(tokens(file.path(), {.separators = marks}, reading)) ==
                naive_tokens(file.contents(), marks, true));
    EXPECT_TRUE(copies_of(words(file.path(), {.separators = marks}, reading)) ==
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
  EXPECT_EQ(error_of([&] { copies_of(tokens(memory(text), {.max_length = 64})); })->offset(), 4U);
  bytes_in_order source{{text}};
  auto all = tokens(source, {.max_length = 64}, {.block_size = 7});
  std::vector<std::string> before;
  const error failure = thrown_by([&] {
    for (const std::string_view word : all) before.emplace_back(word);
  });
  EXPECT_THAT(failure, is_error(errc::record_too_long, 4U));
  EXPECT_EQ(before, (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(code_of([&] { (void)tokens(source, {.max_length = 63}); }), errc::invalid_argument);
}

}  // namespace
}  // namespace riffle::test
