/// Measures a request to the system, and how much of it was waiting, for `read_options::times`.
#pragma once

#include <riffle/options.hpp>

#include <chrono>
#include <cstddef>

#include "base/stopwatch.hpp"
#include "method/waiting.hpp"

namespace riffle::inline v0 {

/// Returns how long a request waited that took so long and gave so many bytes: what it took beyond copying
/// them in memory. A short request for bytes that are `stored` waited for nothing.
inline stopwatch::clock::duration waited_of(stopwatch::clock::duration took, std::size_t bytes, bool stored) {
  if (stored && took <= waiting::shortest) return {};
  const std::chrono::duration<double> copying(static_cast<double>(bytes) / waiting::memory_rate);
  const auto beyond = took - std::chrono::duration_cast<stopwatch::clock::duration>(copying);
  return beyond > beyond.zero() ? beyond : beyond.zero();
}

/// Measures one request.
class reading_time {
 public:
  /// Starts. `to` is null if nothing is to be measured.
  explicit reading_time(read_times* to) noexcept : to_(to) {
    if (to_ != nullptr) start_ = stopwatch::clock::now();
  }
  stopwatch::clock::time_point start() const noexcept { return start_; }
  /// Adds the time since the start, and returns when it ended. `stored`: the bytes were in a file, not to be
  /// written by another program.
  stopwatch::clock::time_point gave(std::size_t bytes, bool stored) const noexcept {
    if (to_ == nullptr) return {};
    const auto end = stopwatch::clock::now();
    stopwatch::add(to_->reading, end - start_);
    const auto waited = waited_of(end - start_, bytes, stored);
    if (waited != waited.zero()) stopwatch::add(to_->waiting, waited);
    return end;
  }

 private:
  read_times* to_;
  stopwatch::clock::time_point start_;
};

}  // namespace riffle::inline v0
