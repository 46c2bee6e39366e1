/// A loop that was left is taken up again behind the last record, whatever the records.
#include <riffle/riffle.hpp>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// The records of a range, by loops that are left after `count` records, the first one after `first`, in turns
// by range-for and by for_each.
template <class Range>
std::vector<std::string> collect_by(Range range, std::size_t count, std::size_t first) {
  std::vector<std::string> found;
  for (std::size_t before = 1; before != found.size();) {
    before = found.size();
    for (auto&& record : range) {
      found.emplace_back(record);
      if (found.size() - before == (before == 0 ? first : count)) break;
    }
    for_each(range, [&, left = count](auto&& record) mutable {
      found.emplace_back(record);
      return --left != 0;
    });
  }
  return found;
}

// Wherever in a batch or block it stopped.
TEST(a_loop_that_was_left, goes_on_wherever_it_stopped) {
  std::string text;
  for (std::size_t i = 0; i < 3000; ++i)
    text += std::string(1 + i * i % 90, static_cast<char>('a' + i % 26)) + "\n";
  const temporary_file file(text);
  const std::vector<std::string> expected = naive_lines(text);
  for (const std::size_t block_size : {1U, 100U, 4096U, 1U << 20U}) {
    const read_options reading{.method = method::read, .block_size = block_size};
    // Each byte is a system call, which an emulator makes slowly.
    for (std::size_t first = 1; first < 200; first += block_size == 1 ? 65 : 13) {
      ASSERT_TRUE(collect_by(lines(file.path(), reading), 7, first) == expected) << first;
      ASSERT_TRUE(collect_by(words(file.path(), reading), 7, first) == expected) << first;
    }
  }
}

TEST(a_loop_that_was_left, at_the_end_of_a_block_meets_nothing_of_a_longer_one_before) {
  const std::string text = std::string(4096, '\n') + std::string(511, 'x') + '\n';
  const temporary_file file(text);
  const read_options reading{.method = method::read, .block_size = 4096};
  for (const std::size_t count : {1U, 1000U}) {
    ASSERT_TRUE(collect_by(lines(file.path(), reading), count, count) == naive_lines(text));
  }
}

// Passes on each byte to search, and counts them.
struct counted_newlines {
  std::size_t* searched;
  std::size_t operator()(std::string_view batch, std::uint16_t* places) const {
    *searched += batch.size();
    return detail::match_delimiter{'\n'}(batch, places);
  }
};

TEST(a_scan_that_was_left, searches_no_byte_twice) {
  const std::string text = numbered_lines(1000);
  std::size_t searched = 0;
  detail::place_scan<counted_newlines> scan({&searched});
  scan.start(text);
  std::size_t found = 0;
  for (const char* place = text.data(); place != text.data() + text.size(); ++found) {
    scan.pass(place);
    detail::place_cursor at = scan.resume(place);
    ASSERT_TRUE(scan.more(at));
    place = scan.take(at) + 1;
  }
  EXPECT_EQ(found, 1000U);
  EXPECT_EQ(searched, text.size());
}

TEST(a_loop_that_was_left, by_an_exception_goes_on_too) {
  const auto expect = [](auto all) {
    const auto leave = [](char byte) {
      if (byte == 'b') throw std::runtime_error("b");
    };
    EXPECT_THROW(for_each(all, leave), std::runtime_error);
    EXPECT_EQ(*all.begin(), 'c');
  };
  expect(bytes(memory("abcdef")));
  expect(values<char>(memory("abcdef")));
}

TEST(a_loop_that_was_left, by_an_error_meets_the_same_error_again) {
  for (const std::size_t size : {13U, 4099U, 262'147U}) {
    const temporary_file file(std::string(size, '\1'));
    for (const std::size_t block_size : {0U, 3U, 8U, 4096U}) {
      auto range = values<std::uint64_t>(file.path(), {.method = method::read, .block_size = block_size});
      for (int turn = 0; turn != 4; ++turn) {
        const auto failure = error_of([&] {
          if (turn % 2 != 0) return for_each(range, [](std::uint64_t) {});
          for ([[maybe_unused]] const std::uint64_t value : range) {
          }
        });
        ASSERT_TRUE(failure) << size << ' ' << block_size << ' ' << turn;
        ASSERT_EQ(failure->offset(), size / 8 * 8) << size << ' ' << block_size << ' ' << turn;
      }
    }
  }
}

// Of each record, whether it was found without reading; the rest is what `advance` gives.
template <class Range>
std::vector<std::string> by_blocks(Range range, std::size_t& within) {
  std::vector<std::string> found;
  const auto add = [&](const auto& record) {
    if constexpr (requires {
                    record.at(0);
                    record.number();
                  }) {
      found.emplace_back(record.at(0));
    } else {
      found.emplace_back(record);
    }
  };
  for (auto at = detail::steps::resume(range);;) {
    for (; detail::steps::advance_in_block(range, at); ++within) add(at.record);
    if (!detail::steps::advance(range, at)) return found;
    add(at.record);
  }
}

TEST(a_step_within_a_block, leaves_to_advance_what_has_to_be_read) {
  const temporary_file file(numbered_lines(300));
  for (const std::size_t block_size : {1U, 7U, 64U, 100'000U}) {
    const read_options reading{.method = method::read, .block_size = block_size};
    std::size_t lines_within = 0;
    std::size_t rows_within = 0;
    std::size_t words_within = 0;
    const auto expected = copies_of(lines(file.path(), reading));
    EXPECT_EQ(by_blocks(lines(file.path(), reading), lines_within), expected) << block_size;
    EXPECT_EQ(by_blocks(rows(file.path(), {.separator = '\t', .skip_blank = true}, reading), rows_within),
              expected);
    EXPECT_EQ(by_blocks(words(file.path(), reading), words_within), copies_of(words(file.path(), reading)));
    for (const std::size_t within : {lines_within, rows_within, words_within}) {
      EXPECT_TRUE(block_size != 1 || within == 0) << within;
      EXPECT_TRUE(block_size != 100'000U || within > expected.size() - 2) << within;
    }
  }
}

TEST(an_iterator, that_outlives_a_later_loop_changes_nothing) {
  const auto expect = [](auto all) {
    {
      const auto early = all.begin();
      EXPECT_EQ(*early, 'a');
      for (const char byte : all) {
        if (byte == 'd') break;
      }
    }
    EXPECT_EQ(*all.begin(), 'e');
  };
  expect(bytes(memory("abcdef")));
  expect(values<char>(memory("abcdef")));
}

TEST(an_iterator, can_be_moved) {
  const auto expect = [](auto all) {
    auto first = all.begin();
    auto second = std::move(first);
    EXPECT_EQ(*++second, 'b');
    first = std::move(second);
    EXPECT_EQ(*++first, 'c');
  };
  expect(bytes(memory("abcdef")));
  expect(values<char>(memory("abcdef")));
}

TEST(numbered_lines, count_from_one_and_know_offsets) {
  std::vector<std::tuple<std::string, std::uint64_t, std::uint64_t>> found;
  for (const numbered_line line : numbered_lines(memory("a\n\r\nlast"), {.strip_cr = true})) {
    found.emplace_back(line.text, line.number, line.offset);
  }
  EXPECT_EQ(found, (decltype(found){{"a", 1, 0}, {"", 2, 2}, {"last", 3, 4}}));
}

// Every loop over the range, and every step of one that catches the error, meets the record that is too long,
// and none what lies behind it.
template <class Make>
void expect_too_long_again(std::uint64_t offset, Make make) {
  auto all = make();
  int found = 0;
  for (int turn = 0; turn != 3; ++turn) {
    const error failure = thrown_by([&] {
      for ([[maybe_unused]] auto&& record : all) ++found;
    });
    EXPECT_THAT(failure, is_error(errc::record_too_long, offset)) << "in turn " << turn;
  }
  EXPECT_EQ(found, 2);
  auto again = make();
  auto record = again.begin();
  while (error_of([&] { ++record; }) == std::nullopt) {
  }
  for (int turn = 0; turn != 3; ++turn) {
    EXPECT_THAT(thrown_by([&] { ++record; }), is_error(errc::record_too_long, offset)) << "in turn " << turn;
  }
}

TEST(a_record_that_is_too_long, is_met_again_by_every_loop_and_step) {
  const temporary_file some_lines("a\nbb\ncccccccccc\ndd\n");
  const temporary_file some_rows("a\r\nbb\r\ncc,ccccccc\r\ndd\r\n");
  const temporary_file some_words("a bb " + std::string(5000, 'c') + " dd ee\n\nff");
  for (std::size_t block_size = 1; block_size <= 6000; block_size += block_size < 150 ? 1 : 937) {
    SCOPED_TRACE(block_size);
    const read_options by{.method = method::read, .block_size = block_size};
    expect_too_long_again(5, [&] { return lines(some_lines.path(), {.max_length = 5}, by); });
    expect_too_long_again(5, [&] { return numbered_lines(some_lines.path(), {.max_length = 5}, by); });
    expect_too_long_again(5, [&] { return rows(some_lines.path(), {.max_length = 5}, by); });
    expect_too_long_again(7, [&] { return rows(some_rows.path(), {.strip_cr = true, .max_length = 5}, by); });
    expect_too_long_again(5, [&] { return words(some_words.path(), {.max_length = 64}, by); });
    expect_too_long_again(5, [&] { return words(some_words.path(), {.max_length = 4999}, by); });
  }
}

TEST(a_record_that_is_too_long, is_met_again_if_it_is_the_first) {
  const temporary_file file(std::string(5000, 'c') + "\n" + std::string(20000, '\n'));
  for (const std::size_t block_size : {4096U, 5001U, 9000U, 30000U}) {
    auto all = lines(file.path(), {.max_length = 4999}, {.method = method::read, .block_size = block_size});
    auto at = detail::steps::resume(all);
    for (int turn = 0; turn != 3; ++turn) {
      const auto failure = thrown_by([&] { detail::steps::advance(all, at); });
      EXPECT_EQ(failure.offset(), 0U) << "in turn " << turn << ", " << block_size;
    }
  }
}

}  // namespace
}  // namespace riffle::test
