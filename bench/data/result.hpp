/// The result of a contender.
#ifndef RIFFLE_BENCH_DATA_RESULT_HPP
#define RIFFLE_BENCH_DATA_RESULT_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/data/sample.hpp"
#include "bench/data/task.hpp"

namespace riffle::bench {

/// `wrong`: its answer differs from the one that most contenders gave.
enum class outcome : std::uint8_t { measured, unavailable, failed, wrong };

/// `samples` has its timed runs in order; `reason` is empty if it was measured.
struct result {
  bench::outcome outcome = outcome::measured;
  std::vector<sample> samples = {};
  std::optional<bench::answer> answer = {};
  std::string reason = {};
  bool settled = false;          // its 95 % interval is narrow
  unsigned runs_per_sample = 1;  // timed together, if one run is too short
  friend bool operator==(const result&, const result&) = default;
};

}  // namespace riffle::bench

#endif
