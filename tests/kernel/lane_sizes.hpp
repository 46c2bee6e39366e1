/// Where the SIMD kernels that read at four places could go wrong.
#ifndef RIFFLE_TESTS_KERNEL_LANE_SIZES_HPP
#define RIFFLE_TESTS_KERNEL_LANE_SIZES_HPP

#include <cstddef>
#include <vector>

namespace riffle::test {

inline constexpr std::size_t largest_lane_size = 3 * 16384 + 257;

/// Sizes around four short lanes, four pages, and several times four pages.
inline std::vector<std::size_t> lane_sizes() {
  std::vector<std::size_t> sizes;
  for (const std::size_t whole : {512U, 4096U, 16128U, 16384U, 16640U, 2 * 16384U, 3 * 16384U}) {
    for (const std::size_t less : {257U, 256U, 255U, 65U, 64U, 63U, 8U, 1U}) sizes.push_back(whole - less);
    for (const std::size_t more : {0U, 1U, 8U, 63U, 64U, 65U, 255U, 256U, 257U})
      sizes.push_back(whole + more);
  }
  return sizes;
}

}  // namespace riffle::test

#endif
