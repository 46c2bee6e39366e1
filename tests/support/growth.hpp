/// An algorithm is shown to be linear by two runs of different size, on any machine and in any build.
#pragma once

#include <algorithm>
#include <ctime>
#include <limits>

namespace riffle::test {

/// How many times as much processor time `work(4 * size)` takes as `work(size)`, by the best of three runs:
/// about 4 if the work is linear, 16 if it is quadratic.
template <class Work>
double growth(std::size_t size, Work work) {
  const auto best = [&](std::size_t of_size) {
    std::clock_t least = std::numeric_limits<std::clock_t>::max();
    for (int run = 0; run < 3; ++run) {
      const std::clock_t start = std::clock();
      work(of_size);
      least = std::min(least, std::clock() - start);
    }
    return static_cast<double>(least);
  };
  const double small = best(size);
  return best(4 * size) / std::max(small, 1.0);
}

}  // namespace riffle::test
