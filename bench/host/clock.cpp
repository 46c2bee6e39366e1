/// `std::chrono::steady_clock` as a function.
#include "bench/host/clock.hpp"

#include <chrono>

namespace riffle::bench {

clock steady_clock() {
  return [] {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::int64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  };
}

}  // namespace riffle::bench
