/// Integer sums are exact or an error, and float sums the same to
/// the last bit, whatever the kernel, the alignment and the blocks.
#include <riffle/error.hpp>
#include <riffle/sum.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "kernel/kernels.hpp"
#include "tests/kernel/lane_sizes.hpp"
#include "tests/support/guarded.hpp"

namespace riffle::test {
namespace {

using kernel::table;
using kernel::wide;

template <class T>
wide (*integer_kernel(const table& kernel))(const char*, std::size_t) {
  if constexpr (std::is_same_v<T, std::int8_t>) return kernel.sum_i8;
  if constexpr (std::is_same_v<T, std::uint8_t>) return kernel.sum_u8;
  if constexpr (std::is_same_v<T, std::int16_t>) return kernel.sum_i16;
  if constexpr (std::is_same_v<T, std::uint16_t>) return kernel.sum_u16;
  if constexpr (std::is_same_v<T, std::int32_t>) return kernel.sum_i32;
  if constexpr (std::is_same_v<T, std::uint32_t>) return kernel.sum_u32;
  if constexpr (std::is_same_v<T, std::int64_t>) return kernel.sum_i64;
  if constexpr (std::is_same_v<T, std::uint64_t>) return kernel.sum_u64;
}

/// The sum by limbs of 32 bits, each in a sum of its own.
template <class T>
wide expected_sum(const char* data, std::size_t count) {
  std::uint64_t low = 0;
  std::int64_t high = 0;
  for (std::size_t i = 0; i < count; ++i) {
    T value;
    std::memcpy(&value, data + i * sizeof(T), sizeof(T));
    const auto bits = static_cast<std::uint64_t>(value);
    low += bits & 0xFFFFFFFF;
    high +=
        std::is_signed_v<T> ? static_cast<std::int64_t>(bits) >> 32 : static_cast<std::int64_t>(bits >> 32);
  }
  high += static_cast<std::int64_t>(low >> 32);
  low &= 0xFFFFFFFF;
  return {static_cast<std::uint64_t>(high) << 32 | low, static_cast<std::uint64_t>(high >> 32)};
}

template <class T>
void expect_integer_sums(const table& kernel) {
  const auto sum = integer_kernel<T>(kernel);
  guarded memory(largest_lane_size);
  std::mt19937_64 random(3);
  std::vector<std::size_t> counts = lane_sizes();
  for (std::size_t& count : counts) count /= sizeof(T);
  for (std::size_t count = 0; count <= 300; ++count) counts.push_back(count);
  for (const std::size_t count : counts) {
    const std::size_t size = count * sizeof(T);
    for (const std::span<char> place : {memory.first(size), memory.last(size)}) {
      std::ranges::generate(place, [&] { return static_cast<char>(random() & 0xFFU); });
      const wide expected = expected_sum<T>(place.data(), count);
      ASSERT_EQ(sum(place.data(), count), expected) << "count " << count;
    }
  }
  std::vector<char> extreme(100003 * sizeof(T) + 64);
  for (const T value : {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), static_cast<T>(-1)}) {
    for (const std::size_t offset : {0U, 1U, 7U}) {
      for (std::size_t i = 0; i < 100003; ++i) {
        std::memcpy(extreme.data() + offset + i * sizeof(T), &value, sizeof(T));
      }
      ASSERT_EQ(sum(extreme.data() + offset, 100003), expected_sum<T>(extreme.data() + offset, 100003));
    }
  }
}

std::string kernel_name(const testing::TestParamInfo<const table*>& tested) {
  return tested.param->name;
}

class each_sum : public testing::TestWithParam<const table*> {};
INSTANTIATE_TEST_SUITE_P(kernels, each_sum, testing::ValuesIn(kernel::available()), kernel_name);

TEST_P(each_sum, adds_integers_exactly) {
  expect_integer_sums<std::int8_t>(*GetParam());
  expect_integer_sums<std::uint8_t>(*GetParam());
  expect_integer_sums<std::int16_t>(*GetParam());
  expect_integer_sums<std::uint16_t>(*GetParam());
  expect_integer_sums<std::int32_t>(*GetParam());
  expect_integer_sums<std::uint32_t>(*GetParam());
  expect_integer_sums<std::int64_t>(*GetParam());
  expect_integer_sums<std::uint64_t>(*GetParam());
}

template <class T>
void expect_float_lanes(void (*add)(const char*, std::size_t, double*)) {
  guarded memory(8192);
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> exponent(-60.0, 60.0);
  for (std::size_t count = 0; count <= 300; ++count) {
    for (const std::span<char> place : {memory.first(count * sizeof(T)), memory.last(count * sizeof(T))}) {
      std::array<double, kernel::float_lanes> expected{};
      expected.fill(0.1);
      std::array<double, kernel::float_lanes> lanes = expected;
      for (std::size_t i = 0; i < count; ++i) {
        const T value = static_cast<T>(std::exp2(exponent(random)) * (random() % 2 == 0 ? 1 : -1));
        std::memcpy(place.data() + i * sizeof(T), &value, sizeof(T));
        expected[i % kernel::float_lanes] += static_cast<double>(value);
      }
      add(place.data(), count, lanes.data());
      ASSERT_EQ(lanes, expected) << "count " << count;
    }
  }
}

TEST_P(each_sum, adds_floats_in_the_same_order) {
  expect_float_lanes<float>(GetParam()->add_f32);
  expect_float_lanes<double>(GetParam()->add_f64);
}

TEST(summer, gives_the_same_float_for_every_block_size) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> exponent(-60.0, 60.0);
  std::vector<double> values(1000);
  for (double& value : values) value = std::exp2(exponent(random)) * (random() % 2 == 0 ? 1 : -1);
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
  const double whole = scan::sum(std::span<const double>(values));
  for (std::size_t block = 1; block < 600; ++block) {
    summer<double> total;
    for (std::size_t at = 0; at < bytes.size(); at += block) total.add_bytes(bytes.substr(at, block));
    ASSERT_EQ(std::bit_cast<std::uint64_t>(total.result()), std::bit_cast<std::uint64_t>(whole))
        << "block " << block;
  }
}

TEST(summer, gives_the_same_integer_for_every_block_size) {
  std::vector<std::int32_t> values(500);
  std::mt19937 random(6);
  for (std::int32_t& value : values) value = static_cast<std::int32_t>(random());
  std::int64_t expected = 0;
  for (const std::int32_t value : values) expected += value;
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()),
                               values.size() * sizeof(std::int32_t));
  for (std::size_t block = 1; block < 300; ++block) {
    summer<std::int32_t> total;
    for (std::size_t at = 0; at < bytes.size(); at += block) total.add_bytes(bytes.substr(at, block));
    ASSERT_EQ(total.result(), expected) << "block " << block;
  }
}

template <class Sum>
std::error_code code_of(Sum sum) {
  try {
    sum();
  } catch (const error& failure) {
    return failure.code();
  }
  return {};
}

TEST(summer, refuses_what_does_not_fit) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  summer<std::int64_t> total;
  total.add(std::vector<std::int64_t>{most, 1});
  EXPECT_EQ(code_of([&] { (void)total.result(); }), make_error_code(errc::sum_overflow));
  total.add(std::vector<std::int64_t>{-1});
  EXPECT_EQ(total.result(), most) << "only the result must fit, not the way to it";
  summer<std::int64_t> negative;
  negative.add(std::vector<std::int64_t>{least});
  EXPECT_EQ(negative.result(), least);
  negative.add(std::vector<std::int64_t>{-1});
  EXPECT_EQ(code_of([&] { (void)negative.result(); }), make_error_code(errc::sum_overflow));
  summer<std::uint64_t> natural;
  natural.add(std::vector<std::uint64_t>{std::numeric_limits<std::uint64_t>::max()});
  EXPECT_EQ(natural.result(), std::numeric_limits<std::uint64_t>::max());
  natural.add(std::vector<std::uint64_t>{1});
  EXPECT_EQ(code_of([&] { (void)natural.result(); }), make_error_code(errc::sum_overflow));
}

TEST(sum_state, gives_the_sum_of_integers_in_128_bits) {
  detail::sum_state total(detail::element::i64);
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  for (int i = 0; i != 3; ++i) total.add(reinterpret_cast<const char*>(&least), sizeof(least));
  // -3 * 2^63 = -2 * 2^64 + 2^63
  EXPECT_EQ(total.exact_result(),
            (std::array<std::uint64_t, 2>{std::uint64_t{1} << 63U, ~std::uint64_t{0} - 1}));
  total.add("cut", 3);
  EXPECT_EQ(code_of([&] { (void)total.exact_result(); }), make_error_code(errc::partial_value));
}

TEST(summer, refuses_a_value_that_was_cut_off) {
  summer<double> total;
  total.add_bytes(std::string_view("\0\0\0\0\0\0\0", 7));
  EXPECT_EQ(code_of([&] { (void)total.result(); }), make_error_code(errc::partial_value));
  total.add_bytes(std::string_view());
  total.add_bytes(std::string_view("\0", 1));
  EXPECT_EQ(total.result(), 0.0);
}

TEST(sum, takes_every_integer_and_float_type) {
  EXPECT_EQ(scan::sum(std::span<const char>("\x01\x02", 2)), 3);
  EXPECT_EQ(scan::sum(std::span<const signed char>()), 0);
  EXPECT_EQ(scan::sum(std::vector<long>{-1, -2}), -3);
  EXPECT_EQ(scan::sum(std::span<const long long>(std::vector<long long>{-1, -2})), -3);
  EXPECT_EQ(scan::sum(std::span<const unsigned long long>(std::vector<unsigned long long>{1, 2})), 3U);
  EXPECT_EQ(scan::sum(std::span<const float>(std::vector<float>{0.5F, 0.25F})), 0.75);
  std::vector<short> writable{1, -2};
  EXPECT_EQ(scan::sum(std::span(writable)), -1);
}

TEST(sum, passes_nan_and_infinity_on) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(scan::sum(std::span<const double>(std::vector<double>{1, infinity})), infinity);
  const double nan = scan::sum(std::vector<double>{infinity, 1, -infinity});
  EXPECT_EQ(std::bit_cast<std::uint64_t>(nan),
            std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace
}  // namespace riffle::test
