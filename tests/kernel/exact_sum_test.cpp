/// The exact sum of doubles is the one that integers of any size give, rounded once, in every order.
#include <gtest/gtest.h>
#include <riffle/sum.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace riffle::test {
namespace {

using limits = std::numeric_limits<double>;

// A sum of doubles, as how many times the least double it is: an integer in two's complement, its highest
// word first.
class wide_sum {
 public:
  void add(double value) {
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    const auto significand = static_cast<std::int64_t>(std::ldexp(fraction, 53));
    const int shift = exponent - 53 + 1074;
    if (shift < 0) return add(significand >> -shift, 0);
    const std::int64_t factor = std::int64_t{1} << shift % 32;
    const auto word = static_cast<std::size_t>(shift / 32);
    add((significand & 0xFFFFFFFF) * factor, word);
    add((significand >> 32) * factor, word + 1);
  }
  // Of a positive number too.
  std::array<std::uint32_t, 70> magnitude() const {
    if (words_[0] >> 31U == 0) return words_;
    wide_sum negated;
    std::ranges::transform(words_, negated.words_.begin(), [](std::uint32_t word) { return ~word; });
    negated.add(1, 0);
    return negated.words_;
  }

 private:
  void add(std::int64_t value, std::size_t word) {
    std::int64_t carry = 0;
    for (std::size_t i = words_.size() - 1 - word; i != SIZE_MAX; --i, value >>= 32) {
      carry += words_[i] + (value & 0xFFFFFFFF);
      words_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  std::array<std::uint32_t, 70> words_{};
};

::testing::AssertionResult is_nearest(double found, const wide_sum& exact) {
  const auto distance = [&](double value) {
    wide_sum left = exact;
    left.add(-value);
    return left.magnitude();
  };
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
  exact_sum sum;
  for (const double value : values) sum.add(value);
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
      wide_sum exact;
      for (std::size_t i = 0; i != count; ++i) {
        const std::uint64_t exponent = (2046 - exponents) / 2 + random() % exponents;
        values.push_back(
            std::bit_cast<double>((random() & ~(std::uint64_t{0x7FF} << 52U)) | exponent << 52U));
        exact.add(values.back());
        if (i % 5 == 0) {  // most of it goes away again
          values.push_back(
              -std::bit_cast<double>(std::bit_cast<std::uint64_t>(values.back()) ^ random() % 4));
          exact.add(values.back());
        }
      }
      const double found = sum_of(values);
      ASSERT_TRUE(is_nearest(found, exact)) << count << " numbers of " << exponents << " exponents";
      std::ranges::shuffle(values, random);
      ASSERT_EQ(sum_of(values), found);
      std::array<exact_sum, 17> parts;
      for (std::size_t i = 0; i != values.size(); ++i) parts[i % parts.size()].add(values[i]);
      for (std::size_t i = 1; i != parts.size(); ++i) parts[0].add(parts[i]);
      ASSERT_EQ(parts[0].result(), found);
    }
  }
}

}  // namespace
}  // namespace riffle::test
