/// The exact sum of doubles is the one that integers of any size give, rounded once, in every order.
#include "cli/sum/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace riffle::test {
namespace {

using boost::multiprecision::cpp_int;
using limits = std::numeric_limits<double>;

// How many times the least double it is.
cpp_int units(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  const auto significand = static_cast<std::int64_t>(std::ldexp(fraction, 53));
  const int shift = exponent - 53 + 1074;
  return shift >= 0 ? cpp_int(significand) << static_cast<unsigned>(shift) : cpp_int(significand >> -shift);
}

::testing::AssertionResult is_nearest(double found, const cpp_int& exact) {
  const auto distance = [&](double value) { return cpp_int(abs(units(value) - exact)); };
  for (const double other :
       {std::nextafter(found, -limits::infinity()), std::nextafter(found, limits::infinity())}) {
    const bool even = (std::bit_cast<std::uint64_t>(found) & 1U) == 0;
    if (std::isfinite(other) &&
        (distance(other) < distance(found) || (distance(other) == distance(found) && !even))) {
      return ::testing::AssertionFailure() << found << " is not the nearest; " << other << " is";
    }
  }
  return ::testing::AssertionSuccess();
}

double sum_of(const std::vector<double>& values) {
  cli::exact_sum sum;
  sum.add(std::span<const double>(values));
  return sum.result();
}

TEST(exact_sum, is_rounded_once) {
  const double least = limits::denorm_min();
  const double most = limits::max();
  for (const auto& [values, expected] : std::vector<std::pair<std::vector<double>, double>>{
           {{}, 0},
           {{-0.0, -0.0}, 0},
           {{0.1, 0.2}, 0.1 + 0.2},
           {{1e16, 1, -1e16}, 1},
           {{1, 0x1p-53}, 1},                      // half way, to even
           {{1, 0x1p-53, least}, 1 + 0x1p-52},     // just above half way
           {{1 + 0x1p-52, 0x1p-53}, 1 + 0x1p-51},  // half way, to even
           {{-1, -0x1p-53, -least}, -1 - 0x1p-52},
           {{0x1p-1022, -least}, 0x1p-1022 - least},  // a subnormal result is exact
           {{least, least, least}, 3 * least},
           {{most, most, -most}, most},  // what lies between need not fit
           {{most, most}, limits::infinity()},
           {{most, -most, -most, most, -least}, -least},
           {{limits::infinity(), 1}, limits::infinity()},
           {{-limits::infinity(), most}, -limits::infinity()}}) {
    EXPECT_EQ(sum_of(values), expected) << ::testing::PrintToString(values);
  }
  for (const std::vector<double>& values :
       {std::vector<double>{limits::infinity(), -limits::infinity()}, {-limits::quiet_NaN(), 1}}) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(sum_of(values)),
              std::bit_cast<std::uint64_t>(limits::quiet_NaN()));
  }
}

TEST(exact_sum, is_that_of_integers_for_random_bits_in_every_order) {
  std::mt19937_64 random(15);
  for (const unsigned exponents : {1U, 40U, 100U, 2046U}) {
    for (std::size_t count = 1; count < 300; count += 7) {
      std::vector<double> values;
      cpp_int exact = 0;
      for (std::size_t i = 0; i != count; ++i) {
        const std::uint64_t exponent = (2046 - exponents) / 2 + random() % exponents;
        values.push_back(
            std::bit_cast<double>((random() & ~(std::uint64_t{0x7FF} << 52U)) | exponent << 52U));
        exact += units(values.back());
        if (i % 5 == 0) {  // most of it goes away again
          values.push_back(
              -std::bit_cast<double>(std::bit_cast<std::uint64_t>(values.back()) ^ random() % 4));
          exact += units(values.back());
        }
      }
      const double found = sum_of(values);
      ASSERT_TRUE(is_nearest(found, exact)) << count << " numbers of " << exponents << " exponents";
      std::ranges::shuffle(values, random);
      ASSERT_EQ(sum_of(values), found);
      cli::exact_sum parts;
      for (std::size_t at = 0; at < values.size(); at += 17) {
        cli::exact_sum part;
        part.add(std::span<const double>(values).subspan(at, std::min<std::size_t>(17, values.size() - at)));
        parts.add(part);
      }
      ASSERT_EQ(parts.result(), found);
    }
  }
}

}  // namespace
}  // namespace riffle::test
