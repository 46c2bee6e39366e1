/// What `riffle sum` finds out of numbers of one type: their sum, and for --stats their count and extremes.
#pragma once

#include <riffle/sum.hpp>

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "cli/kernel/kernels.hpp"
#include "cli/sum/exact_sum.hpp"
#include "cli/sum/table.hpp"

namespace riffle::cli {

/// The quotient, rounded once to the nearest double, as two conversions to double would not be. `divisor` is
/// below 2^63 and not 0.
inline double quotient(std::uint64_t dividend, std::uint64_t divisor) {
  constexpr std::uint64_t enough = std::uint64_t{1}
                                   << 62U;  // more bits than a double has, with some to round by
  std::uint64_t whole = dividend / divisor;
  std::uint64_t rest = dividend % divisor;
  int exponent = 0;
  for (; dividend != 0 && whole < enough; --exponent) {
    rest *= 2;
    whole = 2 * whole + (rest >= divisor ? 1 : 0);
    if (rest >= divisor) rest -= divisor;
  }
  if (rest != 0) whole |= 1U;  // so that what is left breaks a tie
  return std::ldexp(static_cast<double>(whole), exponent);
}

/// What is known of some numbers.
template <summable T>
struct numbers {
  std::uint64_t count = 0;
  std::uint64_t nulls = 0;  // fields without a number
  kernel::min_max<T> range = {};
  sum_t<T> sum{};
};

/// Takes numbers as they come; `Sum` adds them up. Without `stats` it only sums.
template <summable T, class Sum>
class collector {
 public:
  explicit collector(bool stats) : stats_(stats) {}

  void add(std::span<const T> some) {
    constexpr std::size_t piece_size = 16 * 1024 / sizeof(T);  // stays in the cache for the second look
    while (!some.empty()) {
      const std::span<const T> piece = some.first(std::min(some.size(), piece_size));
      sum_.add(piece);
      if (stats_) range_.add(extremes_(reinterpret_cast<const char*>(piece.data()), piece.size()));
      count_ += piece.size();
      some = some.subspan(piece.size());
    }
  }
  void add_nulls(std::uint64_t found) { nulls_ += found; }
  /// Adds what is known of others.
  template <class OtherSum>
  void add(const collector<T, OtherSum>& other) {
    if constexpr (std::same_as<Sum, OtherSum>) {
      sum_.add(other.sum_);
    } else {
      sum_.add(other.sum_.result());
    }
    range_.add(other.range_);
    count_ += other.count_;
    nulls_ += other.nulls_;
  }
  /// Throws as `summer::result`.
  numbers<T> result() const { return {count_, nulls_, range_, sum_.result()}; }

 private:
  template <summable, class>
  friend class collector;

  bool stats_;
  kernel::min_max_kernel<T> extremes_ = std::get<kernel::min_max_kernel<T>>(kernel::active().min_max);
  std::uint64_t count_ = 0;
  std::uint64_t nulls_ = 0;
  kernel::min_max<T> range_;
  Sum sum_;
};

/// Adds up exactly, for numbers that are found slowly or are few.
template <summable T>
using exact = collector<T, std::conditional_t<std::floating_point<T>, exact_sum, summer<T>>>;

template <summable T>
number as_number(T value) {
  if constexpr (std::floating_point<T>) {
    return value + T{0};  // which makes 0 of -0, as the two are equal
  } else if constexpr (std::is_signed_v<T>) {
    return std::int64_t{value};
  } else {
    return std::uint64_t{value};
  }
}

/// The smallest or the largest: none of no numbers, and a NaN if all numbers are.
template <summable T>
number extreme(const numbers<T>& known, T value) {
  if (known.count == 0) return {};
  if (known.range.min > known.range.max) return as_number(std::numeric_limits<T>::quiet_NaN());
  return as_number(value);
}

template <summable T>
number mean_of(const numbers<T>& known) {
  if (known.count == 0) return {};
  if constexpr (std::floating_point<T>) {
    return known.sum / static_cast<double>(known.count);
  } else {
    const bool negative = std::cmp_less(known.sum, 0);
    const auto sum = static_cast<std::uint64_t>(known.sum);
    const double mean = quotient(negative ? 0 - sum : sum, known.count);
    return negative ? -mean : mean;
  }
}

template <summable T>
sum_row row_of(const numbers<T>& known) {
  return {.count = known.count,
          .min = extreme(known, known.range.min),
          .max = extreme(known, known.range.max),
          .sum = as_number(known.sum),
          .mean = mean_of(known),
          .nulls = known.nulls};
}

}  // namespace riffle::cli
