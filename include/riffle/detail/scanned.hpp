/// Offers the ranges over the records that a scan finds, in an input or in memory: lines and words.
#pragma once

#include <riffle/detail/record_iterator.hpp>
#include <riffle/export.hpp>
#include <riffle/input.hpp>
#include <riffle/source.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

namespace riffle::inline v0 {

namespace detail {

class source_state;

/// Throws `riffle::error` (`errc::record_too_long`) for the record at `offset`; what `check` of its source
/// throws, if there is one: bytes that were lost are zeros.
[[noreturn]] RIFFLE_API void fail_too_long(std::string_view name, std::uint64_t offset,
                                           source_state* from = nullptr);

/// A `T` that is as new after it was moved from.
template <class T>
class reset_by_move : public T {
 public:
  using T::T;
  using T::operator=;
  reset_by_move() = default;
  reset_by_move(reset_by_move&& other) noexcept : T(std::exchange(static_cast<T&>(other), T())) {}
  reset_by_move& operator=(reset_by_move&& other) noexcept {
    T::operator=(std::exchange(static_cast<T&>(other), T()));
    return *this;
  }
  ~reset_by_move() = default;
};

/// Iterates over the records of a source, once.
template <class Scan>
class scanned_range : public single_pass<scanned_range<Scan>, std::string_view> {
 public:
  /// Returns the source, valid as long as this range: ask it for the method in use, or call its `check`
  /// before you trust the records since the last step that read a block.
  const source& from() const noexcept { return source_; }

 protected:
  /// The records of a source from which no block was taken.
  scanned_range(source from, const typename Scan::options_type& options);

  reset_by_move<Scan>& scan() noexcept { return scan_; }
  source taken() && noexcept { return std::move(source_); }

 private:
  friend steps;
  using cursor = typename Scan::cursor;

  cursor resume() noexcept { return scan_.resume(); }
  [[gnu::always_inline]] bool advance(cursor& at) {
    if (scan_.next(at)) return true;
    at = next_block();
    return at.record.data() != nullptr;
  }
  [[gnu::always_inline]] bool advance_in_block(cursor& at) { return scan_.next(at); }
  RIFFLE_API cursor next_block();

  source source_;
  reset_by_move<Scan> scan_;
};

/// The most bytes that `for_each` walks by iterators. With more, a batch of masks by the best SIMD kernel is
/// faster than one mask at a time (docs/performance.md).
inline constexpr std::size_t short_memory = 2048;  // tuning

/// Iterates over the records of memory: a forward range, each loop over which starts at the front.
template <class Scan>
class scanned_view {
 public:
  using iterator = view_iterator<typename Scan::memory_cursor>;

  /// No records.
  scanned_view() = default;
  /// The records of these bytes.
  explicit scanned_view(memory bytes RIFFLE_LIFETIMEBOUND, const typename Scan::options_type& options = {})
      : memory_(bytes.bytes()), options_(options) {}

  [[gnu::always_inline]] iterator begin() const {
    return iterator(typename Scan::memory_cursor(memory_, options_));
  }
  std::default_sentinel_t end() const noexcept { return {}; }
  /// Returns the first record. The view must not be empty.
  std::string_view front() const { return *begin(); }
  /// Returns whether there is no record.
  bool empty() const { return begin() == end(); }

  /// Calls `f` with every record, as `riffle::for_each` does.
  template <class F>
  [[gnu::always_inline]] void for_each(F& f) const {
    if (memory_.size() <= short_memory) {
      for (const std::string_view record : *this) {
        if (!wants_more(f, record)) return;
      }
      return;
    }
    Scan scan(options_);
    scan.start({memory_, 0}, 0);
    auto at = scan.resume();
    while (scan.next(at)) {
      if (!wants_more(f, at.record)) return;
    }
    for (at = scan.last(); at.record.data() != nullptr; at = scan.last()) {
      if (!wants_more(f, at.record)) return;
    }
  }

 private:
  std::string_view memory_;
  typename Scan::options_type options_;
};

}  // namespace detail

/// Calls `f(std::string_view)` with every line or word of memory; `f` may return false to stop. It is always
/// inlined, so that the variables of `f` can stay in registers. Throws `riffle::error` as a step of the view
/// does, and what `f` throws.
template <class Scan, class F>
[[gnu::always_inline]] inline void for_each(const detail::scanned_view<Scan>& records, F f) {
  records.for_each(f);
}

}  // namespace riffle::inline v0

template <class Scan>
inline constexpr bool std::ranges::enable_view<riffle::detail::scanned_view<Scan>> = true;
template <class Scan>
inline constexpr bool std::ranges::enable_borrowed_range<riffle::detail::scanned_view<Scan>> = true;
