/// Every SIMD kernel finds the smallest and the largest number wherever they stand, and looks at no NaN.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "cli/kernel/kernels.hpp"
#include "tests/cli/kernel/tool_kernels.hpp"
#include "tests/support/guarded.hpp"

namespace riffle::test {
namespace {

using cli::kernel::min_max;
using cli::kernel::table;

// The numbers at `data`, without NaNs.
template <class T>
std::vector<T> numbers_at(const char* data, std::size_t count) {
  std::vector<T> numbers(count);
  if (count != 0) std::memcpy(numbers.data(), data, count * sizeof(T));
  std::erase_if(numbers, [](T value) { return value != value; });
  return numbers;
}

template <class T>
void expect_extremes(const table& kernel, const char* data, std::size_t count) {
  const min_max<T> found = std::get<cli::kernel::min_max_kernel<T>>(kernel.min_max)(data, count);
  const std::vector<T> numbers = numbers_at<T>(data, count);
  if (numbers.empty()) {
    ASSERT_GT(found.min, found.max) << count;
  } else {
    ASSERT_EQ(found.min, *std::ranges::min_element(numbers)) << count;
    ASSERT_EQ(found.max, *std::ranges::max_element(numbers)) << count;
  }
}

// So many elements make a whole round of four of the widest vectors, and all that can be left behind it.
template <class T>
constexpr std::size_t most = 400 / sizeof(T);

// Any bit patterns, of floats NaNs and infinities among them.
template <class T>
void expect_extremes_of_any_bits(const table& kernel) {
  guarded memory(4096);
  std::mt19937_64 random(11);
  for (std::size_t count = 0; count <= most<T>; ++count) {
    const std::size_t size = count * sizeof(T);
    for (const std::span<char> place : {memory.first(size), memory.last(size)}) {
      std::ranges::generate(place, [&] { return static_cast<char>(random() & 0xFFU); });
      if (std::is_floating_point_v<T> && count % 3 == 0) std::ranges::fill(place, '\xFF');  // all are NaN
      expect_extremes<T>(kernel, place.data(), count);
    }
  }
}

// A number above and one below all others, at each place in turn; the others have NaNs among them.
template <class T>
void expect_extremes_at_each_place(const table& kernel) {
  constexpr std::size_t count = most<T>;
  const auto find = std::get<cli::kernel::min_max_kernel<T>>(kernel.min_max);
  std::vector<T> numbers(count, T{1});
  if constexpr (std::is_floating_point_v<T>) {
    for (std::size_t i = 0; i < count; i += 2) numbers[i] = std::numeric_limits<T>::quiet_NaN();
  }
  for (std::size_t place = 0; place < count; ++place) {
    const T before = numbers[place];
    for (const T extreme : {std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max()}) {
      numbers[place] = extreme;
      for (std::size_t from = 0; from <= std::min<std::size_t>(place, 2); ++from) {
        const min_max<T> found = find(reinterpret_cast<const char*>(numbers.data() + from), count - from);
        ASSERT_EQ(found.min, std::min(extreme, T{1})) << place;
        ASSERT_EQ(found.max, std::max(extreme, T{1})) << place;
      }
    }
    numbers[place] = before;
  }
}

class each_min_max : public testing::TestWithParam<const table*> {
 public:
  template <class... T>
  void expect_all() {
    (expect_extremes_of_any_bits<T>(*GetParam()), ...);
    (expect_extremes_at_each_place<T>(*GetParam()), ...);
  }
};
INSTANTIATE_TEST_SUITE_P(kernels, each_min_max, testing::ValuesIn(tool_kernels()), name_of_kernel);

TEST_P(each_min_max, finds_the_extremes_of_integers) {
  expect_all<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
             std::int64_t, std::uint64_t>();
}

TEST_P(each_min_max, finds_the_extremes_of_floats) {
  expect_all<float, double>();
}

TEST_P(each_min_max, holds_infinities_apart_from_nothing) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto find = std::get<cli::kernel::min_max_kernel<double>>(GetParam()->min_max);
  for (const double value : {infinity, -infinity}) {
    const std::vector<double> numbers(20, value);
    const min_max<double> found = find(reinterpret_cast<const char*>(numbers.data()), numbers.size());
    EXPECT_EQ(found.min, value);
    EXPECT_EQ(found.max, value);
  }
}

}  // namespace
}  // namespace riffle::test
