/// Divides without a second rounding, which two conversions to double would add.
#include "cli/sum/numbers.hpp"

#include <cmath>

namespace riffle::cli {

double quotient(std::uint64_t dividend, std::uint64_t divisor) {
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

}  // namespace riffle::cli
