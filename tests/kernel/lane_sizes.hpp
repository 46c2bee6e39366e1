/// Where the SIMD kernels that read at four places could go wrong, and both ways to choose the places.
#ifndef RIFFLE_TESTS_KERNEL_LANE_SIZES_HPP
#define RIFFLE_TESTS_KERNEL_LANE_SIZES_HPP

#include <cstddef>
#include <vector>

#include "kernel/processor.hpp"

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

/// Lets the kernels read four pages side by side, or four places behind each other, while it exists.
class places {
 public:
  explicit places(bool side_by_side) { kernel::take_pages_side_by_side(side_by_side); }
  ~places() { kernel::take_pages_side_by_side(before_); }
  places(const places&) = delete;
  places& operator=(const places&) = delete;

 private:
  bool before_ = kernel::pages_side_by_side();
};

}  // namespace riffle::test

#endif
