/// Adds up doubles exactly, so that neither their order nor the threads that add them change a digit of the
/// sum.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace riffle::cli {

/// Holds a sum as an integer of 2,176 bits that counts 2^-1074, the least double: the "small
/// superaccumulator" of R. M. Neal, "Fast exact summation using small and large superaccumulators" (2015).
class exact_sum {
 public:
  void add(double value) noexcept;
  void add(std::span<const double> values) noexcept;
  void add(std::span<const float> values) noexcept;
  void add(const exact_sum& other) noexcept;
  /// Returns the sum, rounded once to the nearest double, or to the even one of two. Infinities and NaNs give
  /// what they give if they are added as doubles, and always the same NaN.
  double result() const noexcept;

 private:
  void carry() noexcept;

  // Digit i counts 2^(32 i - 1074). An addition changes a digit by less than 2^33, so that 2^29 of them have
  // room.
  std::array<std::int64_t, 68> digits_{};
  std::uint32_t uncarried_ = 0;  // additions since `carry`
  double special_ = 0;           // the sum of the infinities and NaNs
};

}  // namespace riffle::cli
