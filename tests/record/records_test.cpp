/// Every record type gives the answer of a naive loop by every method and block size, and binary values are
/// exact.
#include <riffle/lines.hpp>
#include <riffle/values.hpp>
#include <riffle/words.hpp>

#include <complex>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

struct sample {
  std::string name;
  std::string text;
  std::unique_ptr<temporary_file> file = {};
};

std::vector<sample> make_samples() {
  const std::string white = " \t\n\v\f\r";
  std::string blocks;  // lines that end right before, at and after the ends of blocks
  for (const std::size_t size : {1U, 2U, 3U, 5U, 7U, 13U, 63U, 64U, 65U, 127U, 4095U, 4096U, 4097U}) {
    blocks += std::string(size - 1, 'a') + '\n' + std::string(size, 'b') + '\n';
  }
  std::vector<sample> all;
  const auto add = [&](std::string name, std::string text) {
    all.push_back({std::move(name), std::move(text)});
  };
  add("empty", "");
  add("one byte", "x");
  add("one newline", "\n");
  add("newlines only", std::string(200, '\n'));
  add("white space only", white + white + "  \n \n");
  add("no final newline", "first\nsecond\n\nlast without end");
  add("crlf", "a\r\n\r\nbb\r\nccc\r\r\n\rd\r\ne\r");
  add("crlf cut at every place", [] {
    std::string text;
    for (std::size_t size = 0; size < 90; ++size) text += std::string(size, 'x') + "\r\n";
    return text;
  }());
  add("nul bytes", std::string("a\0b\nc\0\0\n\0\n \0 \n", 15));
  add("utf-8 and high bytes",
      "\xEF\xBB\xBF"
      "caf\xC3\xA9 \xE2\x82\xAC\n\xFF\xFE\x80\x85\xA0 x\n\xF0\x9F\x98\x80");
  add("ends of blocks", blocks);
  add("random text", random_text(9000, 1, "abc de\n fg\r\n\thi"));
  add("random bytes", random_text(9000, 2));
  add("long line", "short\n" + std::string(200'000, 'y') + "\nshort again\n");
  add("very long line", std::string(3'000'000, 'z') + "\nend");
  add("large text", random_text(700'000, 3, "abcdefgh ijk\nlmno pqr\r\n"));
  for (sample& each : all) each.file = std::make_unique<temporary_file>(each.text);
  return all;
}

const std::vector<sample>& samples() {
  static const std::vector<sample> all = make_samples();
  return all;
}

// Small blocks are for small files; and mmap and direct round them up, so that one small size says it all.
std::vector<std::size_t> block_sizes(method used, std::size_t size) {
  if (used == method::mmap || used == method::direct) return {1, 4096, 4097, 65536, 0};
  if (size > 500'000) return {4095, 4097, 65536, 0};
  if (size > 50'000) return {127, 4096, 65536, 0};
  return {1, 2, 3, 5, 7, 13, 63, 64, 65, 127, 4095, 4096, 4097, 65536, 0};
}

class each_method : public testing::TestWithParam<method> {
 protected:
  using check = std::function<void(const sample&, const read_options&)>;

  // Stops at the first sample and block size that fail, and names them.
  static void for_every_reading(const check& f) {
    for (const sample& each : samples()) {
      for (const std::size_t size : block_sizes(GetParam(), each.text.size())) {
        f(each, {.method = GetParam(), .block_size = size});
        ASSERT_FALSE(HasFailure()) << each.name << ", block size " << size;
      }
    }
  }
};
INSTANTIATE_TEST_SUITE_P(methods, each_method, testing::ValuesIn(usable_methods()), method_name);

// Without printing megabytes.
void expect_same(const std::vector<std::string>& found, const std::vector<std::string>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_TRUE(found[i] == expected[i])
        << "record " << i << ": '" << found[i].substr(0, 60) << "' for '" << expected[i].substr(0, 60) << "'";
  }
}

TEST_P(each_method, cuts_lines_by_every_option) {
  const std::vector<line_options> all{{},
                                      {.keep_delimiter = true},
                                      {.strip_cr = true},
                                      {.keep_delimiter = true, .strip_cr = true},
                                      {.delimiter = ' '},
                                      {.delimiter = '\0', .keep_delimiter = true},
                                      {.delimiter = '\xFF'}};
  for_every_reading([&](const sample& each, const read_options& reading) {
    for (const line_options& options : all) {
      expect_same(copies_of(lines(each.file->path(), options, reading)), naive_lines(each.text, options));
      if (each.text.size() > 250'000) break;  // the usual ones only
    }
    std::vector<std::string> called;
    for_each(lines(each.file->path(), reading), [&](std::string_view line) { called.emplace_back(line); });
    expect_same(called, naive_lines(each.text));
  });
}

TEST_P(each_method, cuts_words) {
  for_every_reading([](const sample& each, const read_options& reading) {
    const std::vector<std::string> expected = naive_words(each.text);
    expect_same(copies_of(words(each.file->path(), reading)), expected);
    std::vector<std::string> all;
    for_each(words(each.file->path(), reading), [&](std::string_view word) { all.emplace_back(word); });
    expect_same(all, expected);
  });
}

// Without printing megabytes, as above, and with the failure after them.
template <class Range>
void expect_bounded(Range records, const naive_records& expected, std::size_t most) {
  std::vector<std::string> found;
  const auto failure = error_of([&] {
    for (const std::string_view record : records) found.emplace_back(record);
  });
  expect_same(found, expected.records);
  ASSERT_EQ(failure.has_value(), expected.too_long.has_value()) << "max_length " << most;
  if (failure) {
    ASSERT_THAT(*failure, is_error(errc::record_too_long, expected.too_long)) << "max_length " << most;
  }
}

TEST_P(each_method, bounds_lines_and_words_at_max_length) {
  for_every_reading([](const sample& each, const read_options& reading) {
    if (each.text.size() > 100'000) return;
    for (const std::size_t most : {64U, 65U, 127U, 4096U}) {
      expect_bounded(words(each.file->path(), {.max_length = most}, reading),
                     naive_bounded_words(each.text, most), most);
    }
    for (const std::size_t most : {0U, 1U, 63U, 64U, 4096U}) {
      for (const auto& [strip, keep] :
           {std::pair(false, false), {true, false}, {false, true}, {true, true}}) {
        const line_options options{.keep_delimiter = keep, .strip_cr = strip, .max_length = most};
        expect_bounded(lines(each.file->path(), options, reading), naive_bounded_lines(each.text, options),
                       most);
      }
    }
  });
  EXPECT_EQ(code_of([] { (void)words(null_device, {.max_length = 63}); }), errc::invalid_argument);
}

// Memory goes through the same scanners.
TEST(memory, gives_the_same_lines_and_words) {
  for (const sample& each : samples()) {
    const std::string_view text = each.text;
    for (const line_options& options :
         {line_options{}, {.keep_delimiter = true}, {.strip_cr = true}, {.delimiter = ' '}}) {
      expect_same(copies_of(lines(memory(text), options)), naive_lines(text, options));
      expect_same(copies_of(line_range(memory(text), options, {})), naive_lines(text, options));
    }
    expect_same(copies_of(words(memory(text))), naive_words(text));
    expect_same(copies_of(word_range(memory(text), {}, {})), naive_words(text));
    ASSERT_FALSE(testing::Test::HasFailure()) << each.name;
  }
}

struct triple {
  std::uint8_t kind;
  char letters[2];
  bool operator==(const triple&) const = default;
};

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

EACH_METHOD(each_value_method);

struct record_of_twenty {
  std::uint32_t id;
  std::uint8_t rest[16];
};

// Every way to loop over what is left, each for at most `most` values, or spans.
enum class way : std::uint8_t { range_for, each, spans, spans_each };

template <class T>
void expect_span(std::span<const T> values) {
  ASSERT_FALSE(values.empty());
  ASSERT_EQ(reinterpret_cast<std::uintptr_t>(values.data()) % alignof(T), 0U);
}

template <class T>
void read_by(way how, value_range<T>& range, std::size_t most, std::vector<T>& found) {
  const auto take = [&](const T& value) {
    found.push_back(value);
    return --most != 0;
  };
  const auto take_all = [&](std::span<const T> values) {
    expect_span(values);
    found.insert(found.end(), values.begin(), values.end());
    return --most != 0;
  };
  if (how == way::each) return for_each(range, take);
  if (how == way::spans_each) return for_each(range.spans(), take_all);
  if (how == way::range_for) {
    for (const T& value : range) {
      if (!take(value)) return;
    }
    return;
  }
  for (const std::span<const T> values : range.spans()) {
    if (!take_all(values)) return;
  }
}

// Loops of different ways in turn, from a place at any alignment, in memory and in files.
template <class T>
void expect_the_same_by_every_way(method by, std::initializer_list<std::endian> orders) {
  constexpr std::size_t block_sizes[] = {4095, 4096, 65536, 0};
  const std::string text = random_text(70'000, 5);
  const temporary_file file(text);
  const temporary_file small(text.substr(0, 700));
  std::mt19937 random(7);
  for (std::size_t turn = 0; turn != 120; ++turn) {
    const bool large = turn % 30 == 0;
    const std::size_t start = turn % 9;
    const auto expected = std::string_view(text).substr(start, (large ? text.size() : 700) - start);
    const owned_descriptor opened = open_at((large ? file : small).path(), start);
    const std::endian order = std::data(orders)[turn % orders.size()];
    const read_options reading{.method = by, .block_size = large ? block_sizes[turn / 30] : 1 + turn % 37};
    auto range = turn % 10 == 9 ? values<T>(memory(expected), {.order = order})
                                : values<T>(opened.get(), {.order = order}, reading);
    std::vector<T> found;
    const auto failure = error_of([&] {
      for (std::size_t before = 1; before != found.size();) {
        before = found.size();
        for (int loops = 0; loops != 4; ++loops) {
          read_by(static_cast<way>(random() % 4), range, 1 + random() % (large ? 900 : 9), found);
          auto moved = std::move(range);
          range = std::move(moved);
        }
      }
    });
    ASSERT_TRUE(bytes_of(found) == naive_values(expected, sizeof(T), order == other_order)) << turn;
    ASSERT_EQ(failure.has_value(), expected.size() % sizeof(T) != 0) << turn;
    if (!failure) continue;
    ASSERT_EQ(failure->code(), errc::partial_value);
    const std::size_t front = turn % 10 == 9 ? 0 : start;
    ASSERT_EQ(failure->offset(), front + expected.size() / sizeof(T) * sizeof(T));
  }
}

TEST_P(each_value_method, gives_the_same_by_every_loop_at_every_alignment) {
  expect_the_same_by_every_way<std::uint8_t>(GetParam(), {std::endian::native, other_order});
  expect_the_same_by_every_way<std::uint16_t>(GetParam(), {std::endian::native, other_order});
  expect_the_same_by_every_way<float>(GetParam(), {std::endian::native, other_order});
  expect_the_same_by_every_way<std::uint64_t>(GetParam(), {std::endian::native, other_order});
  expect_the_same_by_every_way<triple>(GetParam(), {std::endian::native});
  expect_the_same_by_every_way<std::complex<float>>(GetParam(), {std::endian::native});
  expect_the_same_by_every_way<record_of_twenty>(GetParam(), {std::endian::native});
  struct alignas(64) wide {
    std::uint8_t bytes[64];
  };
  expect_the_same_by_every_way<wide>(GetParam(), {std::endian::native});
}

TEST(spans, lie_in_the_block_where_they_are_aligned) {
  alignas(8) constexpr char text[] = "0123456789abcdef";
  const std::string_view whole(text, 16);
  for (const auto span : values<std::uint64_t>(memory(whole)).spans()) {
    EXPECT_EQ(static_cast<const void*>(span.data()), text);
    EXPECT_EQ(span.size(), 2U);
  }
  for (const auto span : values<std::uint32_t>(memory(whole.substr(1, 12))).spans()) {
    EXPECT_NE(static_cast<const void*>(span.data()), text + 1);
    EXPECT_EQ(std::memcmp(span.data(), text + 1, 12), 0);
  }
}

TEST(spans, are_of_one_value_if_that_is_larger_than_what_is_copied_at_a_time) {
  struct large {
    std::array<std::uint64_t, 2000> numbers;
  };
  const std::string text = "x" + patterned_bytes(3 * sizeof(large));
  std::string found;
  for (const auto span : values<large>(memory(std::string_view(text).substr(1))).spans()) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(span.data()) % alignof(large), 0U);
    found.append(reinterpret_cast<const char*>(span.data()), span.size_bytes());
  }
  EXPECT_EQ(found, text.substr(1));
}

TEST(spans, end_the_loop_of_an_earlier_iterator) {
  auto range = values<char>(memory("abcdef"));
  {
    const auto early = range.begin();
    for (const auto span : range.spans()) EXPECT_EQ(span.size(), 6U);
  }
  EXPECT_EQ(range.begin(), range.end());
}

// Of 16 bytes on most processors, and of 12 on 32-bit x86.
TEST(values, are_swapped_whatever_their_size) {
  const std::vector<long double> expected{1.5L, -2.25L, 1e30L};
  const std::string text = naive_values(bytes_of(expected), sizeof(long double), true);
  std::vector<long double> found;
  for (const long double value : values<long double>(memory(text), {.order = other_order}))
    found.push_back(value);
  EXPECT_EQ(found, expected);
}

TEST(values, refuse_to_swap_a_structure) {
  EXPECT_EQ(code_of([] { (void)values<triple>(memory("abc"), {.order = other_order}); }),
            make_error_code(errc::invalid_argument));
}

TEST(values, say_the_same_again_after_a_cut_value) {
  value_range<std::uint32_t> range = values<std::uint32_t>(memory("abcdefg"));
  auto at = range.begin();
  const std::uint32_t first = *at;
  EXPECT_EQ(std::memcmp("abcd", &first, 4), 0);
  for (int again = 0; again < 2; ++again) {
    const auto failure = thrown_by([&] { ++at; });
    EXPECT_EQ(failure.offset(), 4U);
  }
}

}  // namespace
}  // namespace riffle::test
