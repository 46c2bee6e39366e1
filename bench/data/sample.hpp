/// One timed run, with what it used of the machine beside its time; what several amount to; and the result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/data/enum_names.hpp"
#include "bench/data/task.hpp"

namespace riffle::bench {

/// What was used, child processes included: by one run in a
/// `sample`, and since some fixed moment if a `meter` gives it.
struct usage {
  double user_seconds = 0;
  double system_seconds = 0;
  double minor_faults = 0;     // pages that were in memory, but not in the mapping
  double major_faults = 0;     // pages that had to be read
  double bytes_read = 0;       // from storage, that is: past the page cache
  double peak_memory = 0;      // bytes, of a process that was run; 0: unknown
  double delayed_seconds = 0;  // that the main thread was ready to run, and others ran; 0: unknown
};

/// One timed run. If a contender is so fast that several runs are timed together, their mean.
struct sample {
  unsigned round = 0;  // 0: the first run, which counts if it is long
  double seconds = 0;
  bench::usage usage = {};
  bool failed = false;  // a command that did not end well, and counts all the same
};

/// From `low` to `high`, both included.
struct interval {
  double low = 0;
  double high = 0;
  friend bool operator==(const interval&, const interval&) = default;
};

/// What a contender's timed runs amount to; all in the unit of the values.
struct summary {
  double median = 0;
  double min = 0;
  double max = 0;
  double mad = 0;                // median absolute deviation
  std::optional<interval> ci95;  // of the median; nothing: fewer than 6 values
  std::size_t samples = 0;
};

/// `wrong`: its answer differs from the one that most contenders gave.
enum class outcome : std::uint8_t { measured, unavailable, failed, wrong };
template <>
inline constexpr std::array<named_value, 4> named_values<outcome>{
    {{"measured"}, {"unavailable"}, {"failed"}, {"wrong"}}};

/// `samples` has its timed runs in order; `reason` is empty if it was measured.
struct result {
  bench::outcome outcome = outcome::measured;
  std::vector<sample> samples = {};
  std::optional<bench::answer> answer = {};
  std::string reason = {};
  bool settled = false;          // its 95 % interval is narrow
  unsigned runs_per_sample = 1;  // timed together, if one run is too short
};

}  // namespace riffle::bench
