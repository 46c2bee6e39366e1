/// Offers the iterators over records, and the `for_each` of all single-pass ranges of them.
#pragma once

#include <riffle/export.hpp>

#include <concepts>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <type_traits>
#include <utility>

namespace riffle::inline v0 {

namespace detail {

/// Holds such a value for the length of the expression.
template <class T>
struct arrow {
  T value;
  const T* operator->() const noexcept { return &value; }
};

/// Steps through a range of records, as iterators, `for_each`, and the bindings do. A range has a cursor with
/// the current `record`, which a loop keeps in registers. A step throws as the range says.
struct steps {
  template <class Range>
  struct of {
    using cursor = typename Range::cursor;
  };
  template <class Range>
  using cursor = typename of<Range>::cursor;  // by a class, which is a friend, as g++ sees no alias as one

  /// Returns the cursor before the first record that is left.
  template <class Range>
  [[gnu::always_inline]] static cursor<Range> resume(Range& range) {
    return range.resume();
  }
  /// Moves `at` to the next record. Returns false at the end.
  template <class Range>
  [[gnu::always_inline]] static bool advance(Range& range, cursor<Range>& at) {
    return range.advance(at);
  }
  /// Moves the cursor of a range that it refers to: of rows.
  template <class Range>
  [[gnu::always_inline]] static bool advance(cursor<Range>& at) {
    return Range::advance(at);
  }
  /// Moves `at` to the next record that ends in the current block, without reading. Returns false if there is
  /// none: `advance` then reads, with `at` as it was left here. A binding releases its lock of the
  /// interpreter for that call only.
  template <class Range>
  [[gnu::always_inline]] static bool advance_in_block(Range& range, cursor<Range>& at) {
    return range.advance_in_block(at);
  }
  template <class Range>
  [[gnu::always_inline]] static bool advance_in_block(cursor<Range>& at) {
    return Range::advance_in_block(at);
  }
};

/// Iterates over a range of records, once. It can be moved, not copied. The range must not move while it
/// exists. After it is destroyed, the next loop over the range continues after its last record.
template <class Range>
class record_iterator {
 public:
  using iterator_concept = std::input_iterator_tag;
  using value_type = typename Range::value_type;
  using difference_type = std::ptrdiff_t;

  record_iterator() = default;
  /// Points to the first record that is left. Throws as the range does.
  // Always inlined, and so is `begin` of a range: a call with the address of the iterator would keep it in
  // memory for the whole loop.
  [[gnu::always_inline]] explicit record_iterator(Range& range) : range_(&range), at_(steps::resume(range)) {
    ++*this;
  }

  record_iterator(record_iterator&& other) noexcept
      : range_(std::exchange(other.range_, nullptr)), at_(other.at_) {}
  record_iterator& operator=(record_iterator&& other) noexcept {
    range_ = std::exchange(other.range_, nullptr);
    at_ = other.at_;
    return *this;
  }

  value_type operator*() const { return at_.record; }
  arrow<value_type> operator->() const { return {**this}; }
  // Always inlined, because a call for each record would cost more than finding it.
  [[gnu::always_inline]] record_iterator& operator++() {
    if (!steps::advance(*range_, at_)) range_ = nullptr;
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const record_iterator& it, std::default_sentinel_t) noexcept {
    return it.range_ == nullptr;
  }

 private:
  Range* range_ = nullptr;  // null at the end
  steps::cursor<Range> at_{};
};

template <class Iterator>
inline constexpr bool is_record_iterator = false;
template <class Range>
inline constexpr bool is_record_iterator<record_iterator<Range>> = true;

/// Accepts a range of records that are read once.
template <class Range>
concept record_range = is_record_iterator<typename Range::iterator>;

/// Has what a loop needs of a range of records that are read once.
template <class Range, class Record>
class single_pass {
 public:
  using value_type = Record;
  using iterator = record_iterator<Range>;

  /// Returns an iterator to the first record that is left. Throws as a step does.
  [[gnu::always_inline]] iterator begin() { return iterator(static_cast<Range&>(*this)); }
  std::default_sentinel_t end() const noexcept { return {}; }

 private:
  friend Range;
  single_pass() = default;
};

/// Calls `f`. Returns false if `f` returned the `bool` false, which stops the loop. Other results do not stop
/// it: `sum += byte` gives a number.
template <class F, class Record>
bool wants_more(F& f, Record&& record) {
  if constexpr (std::same_as<decltype(f(std::forward<Record>(record))), bool>) {
    return f(std::forward<Record>(record));
  } else {
    f(std::forward<Record>(record));
    return true;
  }
}

/// Iterates over records in memory. `Cursor` holds the current one. Copies are independent.
template <class Cursor>
class view_iterator {
 public:
  using iterator_concept = std::forward_iterator_tag;
  using iterator_category = std::input_iterator_tag;
  using value_type = std::string_view;
  using difference_type = std::ptrdiff_t;
  using reference = std::string_view;
  using pointer = arrow<std::string_view>;

  view_iterator() = default;
  [[gnu::always_inline]] explicit view_iterator(const Cursor& at) noexcept : at_(at) {}

  std::string_view operator*() const noexcept { return at_.record(); }
  pointer operator->() const noexcept { return {**this}; }
  // Always inlined, because a call for each record would cost more than finding it.
  [[gnu::always_inline]] view_iterator& operator++() noexcept(noexcept(at_.next())) {
    at_.next();
    return *this;
  }
  view_iterator operator++(int) noexcept(noexcept(at_.next())) {
    view_iterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const view_iterator& a, const view_iterator& b) noexcept {
    if (a.at_.ended() || b.at_.ended()) return a.at_.ended() == b.at_.ended();
    return a.at_.record().data() == b.at_.record().data();
  }
  friend bool operator==(const view_iterator& it, std::default_sentinel_t) noexcept { return it.at_.ended(); }

 private:
  Cursor at_{};
};

}  // namespace detail

/// Calls `f` with every record that is left; `f` may return false to stop. A later loop over the
/// range continues after the last record. It is always inlined, so that the variables of `f`
/// can stay in registers.
///
/// Throws `riffle::error` if reading fails, after the records before the failure, and what `f` throws.
template <class Range, class F>
  requires detail::record_range<std::remove_reference_t<Range>>
[[gnu::always_inline]] inline void for_each(Range&& records, F f) {
  auto at = detail::steps::resume(records);
  while (detail::steps::advance(records, at)) {
    if (!detail::wants_more(f, at.record)) return;
  }
}

}  // namespace riffle::inline v0
