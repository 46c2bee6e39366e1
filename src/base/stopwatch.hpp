/// Measures what reading takes, and asks no clock if nobody wants to know.
#pragma once

#include <riffle/version.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>

namespace riffle::inline v0 {

/// Adds the time between its start and its end to a total, in nanoseconds.
class stopwatch {
 public:
  using clock = std::chrono::steady_clock;
  using total = std::atomic<std::uint64_t>;

  /// Starts. `to` is null if nothing is to be measured.
  explicit stopwatch(total* to) noexcept : to_(to) {
    if (to_ != nullptr) start_ = clock::now();
  }
  ~stopwatch() {
    if (to_ != nullptr) add(*to_, clock::now() - start_);
  }
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;

  static void add(total& to, clock::duration took) noexcept {
    const auto whole = std::chrono::duration_cast<std::chrono::nanoseconds>(took).count();
    to.fetch_add(static_cast<std::uint64_t>(whole), std::memory_order_relaxed);
  }

 private:
  total* to_;
  clock::time_point start_;
};

/// Measures the time between a block and the call for the next one.
class scan_time {
 public:
  void begin(stopwatch::clock::time_point now) noexcept { since_ = now; }
  /// Adds the time until `now`, if it began.
  void end(stopwatch::total& to, stopwatch::clock::time_point now) noexcept {
    if (since_) stopwatch::add(to, now - *since_);
    since_.reset();
  }
  bool runs() const noexcept { return since_.has_value(); }

 private:
  std::optional<stopwatch::clock::time_point> since_;
};

}  // namespace riffle::inline v0
