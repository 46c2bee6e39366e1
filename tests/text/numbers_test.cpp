/// Rounding never shows a figure that the next larger unit should show.
#include <gtest/gtest.h>

#include "text/numbers.hpp"

namespace riffle::text {

TEST(numbers, have_three_figures_that_matter) {
  EXPECT_EQ(short_number(0), "0.00");
  EXPECT_EQ(short_number(0.0123), "0.012");
  EXPECT_EQ(short_number(0.4999), "0.50");
  EXPECT_EQ(short_number(9.996), "10.0");
  EXPECT_EQ(short_number(99.96), "100");
}

TEST(numbers, have_commas_between_thousands) {
  EXPECT_EQ(with_commas(50847534), "50,847,534");
  EXPECT_EQ(with_commas(999), "999");
}

TEST(numbers, name_sizes_by_the_largest_unit_that_fits) {
  EXPECT_EQ(human_size(1023), "1023 B");
  EXPECT_EQ(human_size(kib), "1.0 KiB");
  EXPECT_EQ(human_size(mib - 10), "1.0 MiB");
  EXPECT_EQ(short_size(1000), "1000");
  EXPECT_EQ(short_size(64 * kib), "64K");
  EXPECT_EQ(short_size(mib), "1M");
}

TEST(numbers, name_times_by_three_figures) {
  EXPECT_EQ(human_seconds(7.891), "7.89 s");
  EXPECT_EQ(human_seconds(0.0456), "45.6 ms");
  EXPECT_EQ(human_seconds(123e-6), "123 us");
  EXPECT_EQ(human_seconds(5e-9), "5 ns");
}

}  // namespace riffle::text
