/// Remembers an answer without a lock, for which the child of a fork could wait for ever.
#pragma once

#include <riffle/version.hpp>

#include <atomic>
#include <type_traits>

namespace riffle::inline v0 {

/// Holds what a question was answered first. The library has no static local variable that is computed: while
/// one thread computes it, all others wait, also in a child that was forked without that thread.
template <class Value>
class remembered {
 public:
  /// Returns the answer. Threads that come first at the same time each ask, and get their own answer.
  template <class Ask>
  Value get(Ask ask) {
    if (state_.load(std::memory_order_acquire) == known) return value_;
    const Value answer = ask();
    int before = unknown;
    if (state_.compare_exchange_strong(before, writing)) {
      value_ = answer;
      state_.store(known, std::memory_order_release);
    }
    return answer;
  }

 private:
  static_assert(std::is_trivially_copyable_v<Value>, "a static object is read after its destructor has run");
  static constexpr int unknown = 0;
  static constexpr int writing = 1;  // for ever in a child that was forked meanwhile, which asks each time
  static constexpr int known = 2;

  std::atomic<int> state_{unknown};
  Value value_{};
};

}  // namespace riffle::inline v0
