/// Every single-pass range of records has the same iterator.
#ifndef RIFFLE_DETAIL_RECORD_ITERATOR_HPP
#define RIFFLE_DETAIL_RECORD_ITERATOR_HPP

#include <concepts>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace riffle::inline v0 {

namespace detail {

/// What a range of records offers: a cursor, which the loop keeps in registers. `resume` makes the one before
/// the first record that is left; `advance` moves one to the next record and says whether there is one.
template <class Range>
concept record_range = requires(Range& range, typename Range::cursor& at) {
  { range.resume() } -> std::same_as<typename Range::cursor>;
  { range.advance(at) } -> std::same_as<bool>;
  { at.record } -> std::convertible_to<typename Range::value_type>;
};

/// Tells the range where a loop over it ended, if the range wants to know: one whose cursor alone knows the
/// place.
template <class Range>
[[gnu::always_inline]] inline void leave(Range& range, const typename Range::cursor& at) noexcept {
  if constexpr (requires { range.leave(at); }) range.leave(at);
}

/// `leave` at the end of a scope.
template <class Range>
class leaving {
 public:
  leaving(Range& range, const typename Range::cursor& at) noexcept : range_(range), at_(at) {}
  leaving(const leaving&) = delete;
  leaving& operator=(const leaving&) = delete;
  [[gnu::always_inline]] ~leaving() { leave(range_, at_); }

 private:
  Range& range_;
  const typename Range::cursor& at_;
};

/// A single-pass iterator over a range of records, which must stay where it is. It can be moved, not copied.
/// When it is destroyed, the next loop over the range goes on behind the record that it stood on.
template <class Range>
class record_iterator {
 public:
  using iterator_concept = std::input_iterator_tag;
  using value_type = typename Range::value_type;
  using difference_type = std::ptrdiff_t;

  record_iterator() = default;
  /// Stands on the first record that is left.
  explicit record_iterator(Range& range) : range_(&range), at_(range.resume()) { ++*this; }

  record_iterator(record_iterator&& other) noexcept
      : range_(std::exchange(other.range_, nullptr)), at_(other.at_) {}
  record_iterator& operator=(record_iterator&& other) noexcept {
    if (range_ != nullptr && this != &other) leave(*range_, at_);
    range_ = std::exchange(other.range_, nullptr);
    at_ = other.at_;
    return *this;
  }
  [[gnu::always_inline]] ~record_iterator() {
    if (range_ != nullptr) leave(*range_, at_);
  }

  value_type operator*() const { return at_.record; }
  // Inlined always, as a call for each record would cost more than finding it.
  [[gnu::always_inline]] record_iterator& operator++() {
    if (!range_->advance(at_)) range_ = nullptr;
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const record_iterator& it, std::default_sentinel_t) noexcept {
    return it.range_ == nullptr;
  }

 private:
  Range* range_ = nullptr;  // null at the end
  typename Range::cursor at_{};
};

/// Calls `f`; false when it asks to stop by returning
/// false. Only a `bool` asks: `sum += byte` gives a number.
template <class F, class Record>
bool wants_more(F& f, Record&& record) {
  if constexpr (std::same_as<decltype(f(std::forward<Record>(record))), bool>) {
    return f(std::forward<Record>(record));
  } else {
    f(std::forward<Record>(record));
    return true;
  }
}

}  // namespace detail

/// Calls `f` with every record that is left: the fastest form. `f` may return false to stop. Throws
/// `riffle::error` on a failure, after the records before it, and whatever `f` throws. Inlined always, so
/// that what `f` refers to can stay in registers.
template <class Range, class F>
  requires detail::record_range<std::remove_reference_t<Range>>
[[gnu::always_inline]] inline void for_each(Range&& records, F f) {
  auto at = records.resume();
  const detail::leaving guard(records, at);
  while (records.advance(at)) {
    if (!detail::wants_more(f, at.record)) return;
  }
}

}  // namespace riffle::inline v0

#endif
