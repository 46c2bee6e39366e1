/// Why this file exists: every single-pass range of records has the same iterator.
#ifndef RIFFLE_DETAIL_RECORD_ITERATOR_HPP
#define RIFFLE_DETAIL_RECORD_ITERATOR_HPP

#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace riffle {

namespace detail {

/// What a range of records offers: `advance` moves to the next record and says whether there is one;
/// `current` is that record.
template <class Range>
concept record_range = requires(Range& range) {
  { range.advance() } -> std::same_as<bool>;
  range.current();
};

/// A single-pass iterator over a range of records, which must stay where it is. A copy is the same iterator.
template <class Range>
class record_iterator {
 public:
  using iterator_concept = std::input_iterator_tag;
  using value_type = typename Range::value_type;
  using difference_type = std::ptrdiff_t;

  record_iterator() = default;
  /// Stands on the first record that is left.
  explicit record_iterator(Range& range) : range_(&range) { ++*this; }

  value_type operator*() const { return range_->current(); }
  record_iterator& operator++() {
    if (!range_->advance()) range_ = nullptr;
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const record_iterator& it, std::default_sentinel_t) noexcept {
    return it.range_ == nullptr;
  }

 private:
  Range* range_ = nullptr;  // null at the end
};

/// Calls `f`; false when it asks to stop by returning false. Only a `bool` asks: `sum += byte` gives a
/// number.
template <class F, class Record>
bool wants_more(F& f, Record&& record) {
  if constexpr (std::same_as<std::invoke_result_t<F&, Record>, bool>) {
    return std::invoke(f, std::forward<Record>(record));
  } else {
    std::invoke(f, std::forward<Record>(record));
    return true;
  }
}

}  // namespace detail

/// Calls `f` with every record that is left: the fastest form. `f` may return false to stop. Throws
/// `riffle::error` on a failure, after the records before it, and whatever `f` throws.
template <class Range, class F>
  requires detail::record_range<std::remove_reference_t<Range>>
void for_each(Range&& records, F f) {
  while (records.advance()) {
    if (!detail::wants_more(f, records.current())) return;
  }
}

}  // namespace riffle

#endif
