/// Records model the ranges they are said to; those of memory of every size are those of plain loops.
#include <riffle/columns.hpp>
#include <riffle/fields.hpp>
#include <riffle/line_index.hpp>
#include <riffle/lines.hpp>
#include <riffle/numbers.hpp>
#include <riffle/rows.hpp>
#include <riffle/value_counts.hpp>
#include <riffle/values.hpp>
#include <riffle/words.hpp>

#include <bit>
#include <ranges>

#include "tests/support/faults.hpp"
#include "tests/support/guarded.hpp"
#include "tests/support/support.hpp"

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
  for (const std::string_view alphabet :
       {std::string_view("a\n\r\0\xff\x80", 6), std::string_view("abcdefghijklmnop\r\n"),
        std::string_view("a \t\0\x85\xff", 6), std::string_view("abcdefghijklmn \n"), std::string_view(" "),
        std::string_view("x")}) {
    beside_guard_pages(random_text(300, 11, alphabet), [](std::string_view part) {
      const line_options& options = every_option[part.size() % std::size(every_option)];
      expect_both(lines(memory(part), options), naive_bounded_lines(part, options), part);
      expect_both(lines(memory(part)), naive_bounded_lines(part, {}), part);
      expect_both(words(memory(part)), {naive_words(part)}, part);
    });
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
  EXPECT_EQ(copies_of(lines(file.path())).size(), 4U);
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

  EXPECT_EQ(copies_of(words(memory(text)) | std::views::take(3)),
            (std::vector<std::string>{"one", "two", "three"}));
}

TEST(ranges, of_memory_can_be_passed_more_than_once) {
  const auto check = [](auto view, const std::vector<std::string>& expected) {
    for (int pass = 0; pass < 2; ++pass) EXPECT_EQ(copies_of(view), expected);
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
  (void)*all.begin();
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
  const temporary_file large(patterned_bytes(100'000));  // handed out in copies of a few KiB
  expect_no_bytes_once_moved_from(values<char16_t>(large.path(), {.order = other_order}).spans());
}

TEST(for_each, only_a_bool_asks_to_stop) {
  const temporary_file file(std::string("\0a\0b", 4));
  int sum = 0;
  for_each(bytes(file.path()), [&sum](char byte) { return sum += byte; });
  EXPECT_EQ(sum, 'a' + 'b');
}

}  // namespace
}  // namespace riffle::test
