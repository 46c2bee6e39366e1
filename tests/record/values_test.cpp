/// Binary values are exact in either byte order, and a value cut off is an error in its place.
#include <riffle/values.hpp>

#include <gtest/gtest.h>

#include <cstring>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

struct triple {
  std::uint8_t kind;
  char letters[2];
  friend bool operator==(const triple&, const triple&) = default;
};

template <class T>
std::vector<T> naive_values(std::string_view text, bool swapped) {
  std::vector<T> all;
  for (std::size_t at = 0; at + sizeof(T) <= text.size(); at += sizeof(T)) {
    std::string raw(text.substr(at, sizeof(T)));
    if (swapped) raw.assign(raw.rbegin(), raw.rend());
    T value;
    std::memcpy(&value, raw.data(), sizeof(T));
    all.push_back(value);
  }
  return all;
}

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

constexpr std::endian other =
    std::endian::native == std::endian::little ? std::endian::big : std::endian::little;

class each_value_method : public testing::TestWithParam<method> {
 protected:
  template <class T>
  static void expect_values(std::initializer_list<std::endian> orders) {
    for (const std::size_t size : {0U, 1U, 7U, 8U, 4096U, 9001U, 70'000U}) {
      const temporary_file file(random_text(size, static_cast<unsigned>(size)));
      std::ifstream in(file.path(), std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      for (const std::size_t block : {1U, 3U, 7U, 8U, 4095U, 4096U, 65536U, 0U}) {
        if (size > 10'000 && block != 0 && block < 1000) continue;
        for (const std::endian order : orders) {
          std::vector<T> found;
          const auto failure = error_of([&] {
            const read_options reading{.method = GetParam(), .block_size = block};
            for (const T value : values<T>(file.path(), {.order = order}, reading)) found.push_back(value);
          });
          ASSERT_TRUE(same_bytes(found, naive_values<T>(text, order == other)))
              << size << ", block " << block;
          ASSERT_EQ(failure.has_value(), size % sizeof(T) != 0) << size << ", block " << block;
          if (!failure) continue;
          ASSERT_EQ(failure->code(), make_error_code(errc::partial_value));
          ASSERT_EQ(failure->offset(), size / sizeof(T) * sizeof(T)) << size << ", block " << block;
        }
      }
    }
  }
};
INSTANTIATE_TEST_SUITE_P(methods, each_value_method, testing::ValuesIn(usable_methods()), method_name);

TEST_P(each_value_method, reads_integers) {
  expect_values<std::uint8_t>({std::endian::native, other});
  expect_values<std::uint16_t>({std::endian::native, other});
  expect_values<std::uint32_t>({std::endian::native, other});
  expect_values<std::uint64_t>({std::endian::native, other});
}

TEST_P(each_value_method, reads_floats) {
  expect_values<double>({std::endian::native, other});
}

TEST_P(each_value_method, reads_structures) {
  expect_values<triple>({std::endian::native});
}

TEST(values, read_memory_too) {
  const std::string_view text("\x01\x02\x03\x04", 4);
  std::vector<std::uint16_t> found;
  for_each(values<std::uint16_t>(memory(text), {.order = std::endian::big}),
           [&](std::uint16_t value) { found.push_back(value); });
  EXPECT_EQ(found, (std::vector<std::uint16_t>{0x0102, 0x0304}));
  int seen = 0;
  for_each(values<std::uint8_t>(memory(text)), [&](std::uint8_t) { return ++seen < 2; });
  EXPECT_EQ(seen, 2);
}

TEST(values, refuse_to_swap_a_structure) {
  const auto failure = error_of([] { (void)values<triple>(memory("abc"), {.order = other}); });
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code(), make_error_code(errc::invalid_argument));
}

TEST(values, say_the_same_again_after_a_cut_value) {
  value_range<std::uint32_t> range = values<std::uint32_t>(memory("abcdefg"));
  auto at = range.resume();
  EXPECT_TRUE(range.advance(at));
  for (int again = 0; again < 2; ++again) {
    const auto failure = error_of([&] { range.advance(at); });
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->offset(), 4U);
  }
}

TEST(values, say_the_same_again_in_the_next_loop) {
  const temporary_file file("abcdefg");
  value_range<std::uint32_t> range = values<std::uint32_t>(file.path());
  for (int again = 0; again < 3; ++again) {
    int seen = 0;
    const auto failure = error_of([&] {
      for ([[maybe_unused]] const std::uint32_t value : range) ++seen;
    });
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->offset(), 4U);
    EXPECT_EQ(seen, again == 0 ? 1 : 0);
  }
}

}  // namespace
}  // namespace riffle::test
