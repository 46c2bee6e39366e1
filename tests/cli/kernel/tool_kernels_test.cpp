/// The tool has SIMD kernels for every instruction set of the library, and uses those of the library's
/// choice; each finds the smallest and the largest number, but no NaN.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "kernel/simd.hpp"
#include "tests/kernel/compare.hpp"
#include "tests/support/oracles.hpp"

namespace riffle::test {
namespace {

using cli::kernel::min_max;
using cli::kernel::min_max_kernel;

// Also those that this processor does not run.
TEST(tool_kernels, are_compiled_for_each_instruction_set_of_the_library) {
  for (const kernel::simd_table& compiled : kernel::simd_tables()) {
    if (compiled.kernels == nullptr) continue;
    EXPECT_STREQ(cli::kernel::beside(*compiled.kernels).name, compiled.kernels->instructions);
  }
  EXPECT_EQ(&cli::kernel::beside(kernel::scalar()), &cli::kernel::scalar());
}

TEST(tool_kernels, are_those_beside_the_kernels_of_the_library) {
  EXPECT_EQ(&cli::kernel::active(), &cli::kernel::beside(kernel::active()));
}

// Any bit patterns, of floats NaNs and infinities among them. So many bytes make a whole round of four of the
// widest vectors, and all that can be left behind it.
TEST_P(each_kernel, finds_the_extremes_of_any_bits) {
  for (std::size_t size = 0; size <= 400; ++size) {
    compare_beside_guard_pages({.text = random_text(size, static_cast<unsigned>(size))}, "min_max");
    compare_beside_guard_pages({.text = std::string(size, '\xFF')}, "min_max");  // all are NaN
  }
}

// A number above and one below all others, at each place in turn; the others have NaNs among them.
template <class T>
void expect_extremes_at_each_place(min_max_kernel<T> find) {
  using limits = std::numeric_limits<T>;
  std::vector<T> numbers(400 / sizeof(T), T{1});
  for (std::size_t i = 0; std::is_floating_point_v<T> && i < numbers.size(); i += 2)
    numbers[i] = limits::quiet_NaN();
  for (std::size_t place = 0; place < numbers.size(); ++place) {
    const T before = numbers[place];
    for (const T extreme : {limits::lowest(), limits::max()}) {
      numbers[place] = extreme;
      for (std::size_t from = 0; from <= std::min<std::size_t>(place, 2); ++from) {
        const min_max<T> found =
            find(reinterpret_cast<const char*>(numbers.data() + from), numbers.size() - from);
        ASSERT_EQ(found.min, std::min(extreme, T{1})) << place;
        ASSERT_EQ(found.max, std::max(extreme, T{1})) << place;
      }
    }
    numbers[place] = before;
  }
  const min_max<T> nothing = find(nullptr, 0);
  EXPECT_GT(nothing.min, nothing.max);
}

TEST_P(each_kernel, finds_an_extreme_in_each_place) {
  std::apply([](auto... find) { (expect_extremes_at_each_place(find), ...); }, kernels.tool.min_max);
}

}  // namespace
}  // namespace riffle::test
