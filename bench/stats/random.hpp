/// Generated inputs and the order of rounds are the same for the same seed, on every machine; the results of
/// std distributions differ between standard libraries.
#pragma once

#include <cstddef>
#include <cstdint>

namespace riffle::bench {

/// SplitMix64 (Steele, Lea, Flood, 2014): tiny, and good enough to look like text.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t mixed = state_ += 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31);
  }
  /// A number below `limit`, which is far below 2^32.
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(((next() >> 32) * limit) >> 32); }

 private:
  std::uint64_t state_;
};

}  // namespace riffle::bench
