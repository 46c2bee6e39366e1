/// The smallest and the largest of numbers, as the SIMD kernels return them.
#ifndef RIFFLE_CLI_KERNEL_MIN_MAX_HPP
#define RIFFLE_CLI_KERNEL_MIN_MAX_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>

namespace riffle::cli::kernel {

/// Holds the smallest and the largest of numbers that are no NaN. Without such a number `min` is above `max`.
/// -0 and 0 are equal, so either of them may stand for both.
template <class T>
struct min_max {
  using limits = std::numeric_limits<T>;

  T min = limits::has_infinity ? limits::infinity() : limits::max();
  T max = limits::has_infinity ? -limits::infinity() : limits::lowest();

  constexpr void add(const min_max& other) noexcept {
    if (other.min < min) min = other.min;
    if (max < other.max) max = other.max;
  }
};

/// Returns the smallest and the largest of `count` elements.
template <class T>
using min_max_kernel = min_max<T> (*)(const char* data, std::size_t count);

/// One kernel for each type: `std::get<min_max_kernel<float>>(kernels)`.
using min_max_kernels =
    std::tuple<min_max_kernel<std::int8_t>, min_max_kernel<std::uint8_t>, min_max_kernel<std::int16_t>,
               min_max_kernel<std::uint16_t>, min_max_kernel<std::int32_t>, min_max_kernel<std::uint32_t>,
               min_max_kernel<std::int64_t>, min_max_kernel<std::uint64_t>, min_max_kernel<float>,
               min_max_kernel<double>>;

}  // namespace riffle::cli::kernel

#endif
