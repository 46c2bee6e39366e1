/// The whole answers, by every method and number of threads, against the kernels over the same bytes.
#include <gtest/gtest.h>
#include <riffle/count.hpp>
#include <riffle/error.hpp>

#include <numeric>
#include <sstream>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

byte_counts naive_counts(std::string_view bytes) {
  byte_counts counts{};
  for (const char byte : bytes) ++counts[static_cast<unsigned char>(byte)];
  return counts;
}

class each_counting_method : public testing::TestWithParam<method> {};

TEST_P(each_counting_method, counts_as_the_kernels_do) {
  // Several splits of 4 MiB, with words across their borders.
  std::string text = patterned_bytes((std::size_t{9} << 20U) + 17);
  text.replace((std::size_t{4} << 20U) - 3, 6, "across");
  const temporary_file file(text);
  const read_options reading{.method = GetParam()};
  for (const unsigned threads : {1U, 2U, 5U, 0U}) {
    const count_options options{.threads = threads};
    EXPECT_EQ(count_lines(file.path(), options, reading), scan::count_lines(text));
    EXPECT_EQ(count_words(file.path(), options, reading), scan::count_words(text));
    EXPECT_EQ(count_utf8(file.path(), options, reading), scan::count_utf8(text));
    EXPECT_EQ(count_byte(file.path(), 'a', options, reading), scan::count_byte(text, 'a'));
    EXPECT_EQ(count_any_of(file.path(), "cCgG", options, reading), scan::count_any_of(text, "cCgG"));
    EXPECT_EQ(count_bytes(file.path(), options, reading), naive_counts(text));
  }
  EXPECT_TRUE(read_all(file.path(), reading) == text);
}

INSTANTIATE_TEST_SUITE_P(methods, each_counting_method, testing::ValuesIn(usable_methods()), method_name);

TEST(whole_answers, take_the_memory_for_a_file_once) {
  const std::size_t size = (std::size_t{3} << 20U) + 5;
  const temporary_file file(patterned_bytes(size));
  EXPECT_LT(read_all(file.path()).capacity(), size + 100);
  const owned_descriptor opened(test::open_to_read(file.path()));
  const std::size_t start = std::size_t{1} << 20U;
  ASSERT_EQ(test::move_to(opened.get(), static_cast<std::int64_t>(start)), static_cast<std::int64_t>(start));
  EXPECT_LT(read_all(opened.get()).capacity(), size - start + 100);
}

// Few different bytes, then many, then others: each of these is counted in its own way.
TEST(whole_answers, of_bytes_count_each_of_them) {
  std::string text;
  for (const std::size_t size : {std::size_t{1}, std::size_t{100'000}, std::size_t{600'001}}) {
    for (const std::string_view alphabet : {"ACGT\n", "x", "abcdefgh", "abcdefghi", "\x80\xFF"}) {
      text += random_text(size, 3, alphabet);
      text += random_text(size / 3, 4);
      ASSERT_EQ(count_bytes(memory(text)), naive_counts(text)) << size << alphabet;
    }
  }
  std::uint64_t counted = 0;
  EXPECT_EQ(count_bytes(memory(text), {.threads = 2, .counted = &counted}), naive_counts(text));
  EXPECT_EQ(counted, text.size());
  EXPECT_EQ(count_bytes(memory("")), byte_counts());
}

TEST(whole_answers, leave_what_was_counted_before_a_failure) {
  const temporary_file file(std::string(100'000, '\n'));
  const read_options reading{.method = method::read, .block_size = 1000};
  std::uint64_t counted = 7;
  EXPECT_EQ(count_lines(file.path(), {.counted = &counted}, reading), 100'000U);
  EXPECT_EQ(counted, 100'000U);
  // A stream that fails in the middle.
  struct failing : std::stringbuf {
    using std::stringbuf::stringbuf;
    std::streamsize xsgetn(char* to, std::streamsize size) override {
      if (++reads == 3) throw std::runtime_error("broken");
      return std::stringbuf::xsgetn(to, size);
    }
    int reads = 0;
  } buffer(std::string(5000, '\n'));
  std::istream stream(&buffer);
  const auto failure =
      error_of([&] { (void)count_lines(stream, {.counted = &counted}, {.block_size = 1000}); });
  EXPECT_TRUE(failure);
  EXPECT_EQ(counted, 2000U);
}

TEST(sum_of_an_input, is_that_of_its_values) {
  std::vector<std::int32_t> values(3'000'000);
  std::iota(values.begin(), values.end(), -1'000'000);
  const std::int64_t expected = scan::sum(values);
  const std::string_view bytes = memory(std::as_bytes(std::span(values))).bytes();
  const temporary_file file(bytes);
  for (const unsigned threads : {1U, 2U, 3U}) {
    EXPECT_EQ(sum<std::int32_t>(file.path(), {.threads = threads}), expected);
    EXPECT_EQ(
        sum<std::int32_t>(file.path(), {.threads = threads}, {.method = method::read, .block_size = 1001}),
        expected);
  }
  EXPECT_EQ(sum<float>(memory("")), 0);
}

TEST(sum_of_an_input, takes_the_other_byte_order) {
  constexpr std::endian other =
      std::endian::native == std::endian::big ? std::endian::little : std::endian::big;
  std::string text;
  std::uint64_t expected = 0;
  for (unsigned value = 0; value != 5000; ++value) {
    text += {static_cast<char>(value & 0xFFU), static_cast<char>(value >> 8U)};
    expected += value;
  }
  constexpr std::endian little = std::endian::little;
  EXPECT_EQ(sum<std::uint16_t>(memory(text), {.order = little}), expected);
  const std::string swapped = naive_values(text, 2, true);
  EXPECT_EQ(sum<std::uint16_t>(memory(swapped), {.order = std::endian::big, .threads = 2}), expected);
  EXPECT_EQ(sum<std::uint8_t>(memory("\1\2"), {.order = other}), 3U);
}

TEST(sum_of_an_input, adds_floats_in_order_whatever_the_threads) {
  std::vector<double> values(2'000'000);
  for (std::size_t i = 0; i != values.size(); ++i) values[i] = 1.0 / static_cast<double>(i + 1);
  const temporary_file file(memory(std::as_bytes(std::span(values))).bytes());
  const double expected = scan::sum(values);
  for (const unsigned threads : {1U, 4U}) EXPECT_EQ(sum<double>(file.path(), {.threads = threads}), expected);
}

TEST(sum_of_an_input, is_an_error_where_it_ends_inside_a_value_or_overflows) {
  const temporary_file file(std::string(4003, 'x'));
  for (const unsigned threads : {1U, 2U}) {
    const auto failure = thrown_by([&] { (void)sum<std::uint32_t>(file.path(), {.threads = threads}); });
    EXPECT_EQ(failure.code(), errc::partial_value);
    EXPECT_EQ(failure.offset(), 4000U);
  }
  const std::string most(16, '\xFF');
  EXPECT_EQ(error_of([&] { (void)sum<std::uint64_t>(memory(most)); })->code(), errc::sum_overflow);
  EXPECT_EQ(sum<std::int64_t>(memory(most)), -2);
}

TEST(sum_of_an_input, of_parts_that_overflow_is_exact) {
  std::vector<std::int64_t> values(std::size_t{1} << 20U, std::numeric_limits<std::int64_t>::max());
  for (std::size_t i = values.size() / 2; i != values.size(); ++i) values[i] = -values[i];
  EXPECT_EQ(sum<std::int64_t>(memory(std::as_bytes(std::span(values))), {.threads = 2}), 0);
}

}  // namespace
}  // namespace riffle::test
