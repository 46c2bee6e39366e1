/// Rounding never shows a figure that the next larger unit should show.
#include <gtest/gtest.h>

#include <vector>

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

namespace {

std::string size_of(std::string_view typed) {
  try {
    return std::to_string(parse_size(typed, 1, gib));
  } catch (const usage_error& wrong) {
    return std::string("error: ") + wrong.what();
  }
}

}  // namespace

TEST(sizes, are_decimal_with_units_of_1024) {
  struct row {
    std::vector<const char*> typed;
    const char* means;
  };
  for (const auto& [typed, means] : {
           row{{"512"}, "512"},
           {{"010"}, "10"},
           {{"4B"}, "4"},
           {{"64K", "64k", "64KB", "64Ki", "64KiB", "64kib"}, "65536"},
           {{"1 K"}, "1024"},
           {{"1MiB"}, "1048576"},
           {{"1G"}, "1073741824"},
           {{"0"}, "error: too small; use at least 1"},
           {{"1073741825", "8T", "8E", "16E", "99999999999999999999"}, "error: too large; use at most 1G"},
           {{"", "K", "-1", "+1", " 1", "0x10", "1.5K", "1e3", "1KK", "1Kb ", "1X"},
            "error: not a size; write digits and a unit, such as 512, 64K or 1MiB"},
       }) {
    for (const char* const each : typed) EXPECT_EQ(size_of(each), means) << each;
  }
}

TEST(numbers, are_typed_in_digits_alone) {
  EXPECT_EQ(parse_number("010", 0, 10), 10U);
  EXPECT_EQ(parse_number("18446744073709551615", 0, any_size), any_size);
  for (const char* wrong : {"", "-1", "+1", "1K", "0x1", "11", "18446744073709551616"})
    EXPECT_THROW(parse_number(wrong, 0, 10), usage_error) << wrong;
}

TEST(seconds, are_above_0_and_have_an_end) {
  EXPECT_EQ(parse_seconds("0.5"), 0.5);
  for (const char* wrong : {"", "0", "-1", "nan", "inf", "1s", "1e999"})
    EXPECT_THROW(parse_seconds(wrong), usage_error) << wrong;
}

}  // namespace riffle::text
