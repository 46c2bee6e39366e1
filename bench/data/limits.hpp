/// The limits of the machine. No method is faster.
#ifndef RIFFLE_BENCH_DATA_LIMITS_HPP
#define RIFFLE_BENCH_DATA_LIMITS_HPP

#include <optional>

namespace riffle::bench {

/// What the machine can do at most with one thread, by the limits of all rounds; nothing if it was not
/// measured.
struct limits {
  std::optional<double> ram_scan = {};  // bytes a second: memory that is mapped, read once
  std::optional<double> ram_copy = {};  // bytes a second: memory copied into a buffer that stays in the cache
  std::optional<double> device = {};    // bytes a second: O_DIRECT, by the best of several deep queues
  friend bool operator==(const limits&, const limits&) = default;
};

}  // namespace riffle::bench

#endif
