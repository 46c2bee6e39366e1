/// Binary values are exact in either byte order, and a value cut off is an error in its place.
#include <riffle/values.hpp>

#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <cstring>
#include <random>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

struct triple {
  std::uint8_t kind;
  char letters[2];
  bool operator==(const triple&) const = default;
};

template <class T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

constexpr std::endian other =
    std::endian::native == std::endian::little ? std::endian::big : std::endian::little;

class each_value_method : public testing::TestWithParam<method> {};
INSTANTIATE_TEST_SUITE_P(methods, each_value_method, testing::ValuesIn(usable_methods()), method_name);

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
    const owned_descriptor opened(open_to_read((large ? file : small).path()));
    ASSERT_EQ(move_to(opened.get(), static_cast<std::int64_t>(start)), static_cast<std::int64_t>(start));
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
    ASSERT_TRUE(bytes_of(found) == naive_values(expected, sizeof(T), order == other)) << turn;
    ASSERT_EQ(failure.has_value(), expected.size() % sizeof(T) != 0) << turn;
    if (!failure) continue;
    ASSERT_EQ(failure->code(), errc::partial_value);
    const std::size_t front = turn % 10 == 9 ? 0 : start;
    ASSERT_EQ(failure->offset(), front + expected.size() / sizeof(T) * sizeof(T));
  }
}

TEST_P(each_value_method, gives_the_same_by_every_loop_at_every_alignment) {
  expect_the_same_by_every_way<std::uint8_t>(GetParam(), {std::endian::native, other});
  expect_the_same_by_every_way<std::uint16_t>(GetParam(), {std::endian::native, other});
  expect_the_same_by_every_way<float>(GetParam(), {std::endian::native, other});
  expect_the_same_by_every_way<std::uint64_t>(GetParam(), {std::endian::native, other});
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
  for (const long double value : values<long double>(memory(text), {.order = other})) found.push_back(value);
  EXPECT_EQ(found, expected);
}

TEST(values, refuse_to_swap_a_structure) {
  EXPECT_EQ(code_of([] { (void)values<triple>(memory("abc"), {.order = other}); }),
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
