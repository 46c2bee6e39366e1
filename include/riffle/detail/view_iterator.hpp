/// Offers the iterator over the lines or words of memory.
#ifndef RIFFLE_DETAIL_VIEW_ITERATOR_HPP
#define RIFFLE_DETAIL_VIEW_ITERATOR_HPP

#include <riffle/detail/record_iterator.hpp>

#include <cstddef>
#include <iterator>
#include <string_view>

namespace riffle::inline v0::detail {

/// Iterates over the records that `Scan` cuts memory into. Copies are independent.
template <class Scan>
class view_iterator {
 public:
  using iterator_concept = std::forward_iterator_tag;
  using iterator_category = std::input_iterator_tag;
  using value_type = std::string_view;
  using difference_type = std::ptrdiff_t;
  using reference = std::string_view;
  using pointer = void;

  view_iterator() = default;
  /// Points to the first record of a scan that was started on all of the memory.
  explicit view_iterator(const Scan& started) : scan_(started), at_(scan_.resume()) { ++*this; }

  std::string_view operator*() const noexcept { return at_.record; }
  // Always inlined, because a call for each record would cost more than finding it.
  [[gnu::always_inline]] view_iterator& operator++() {
    if (!scan_.next(at_)) at_ = scan_.last();
    return *this;
  }
  view_iterator operator++(int) {
    view_iterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const view_iterator& a, const view_iterator& b) noexcept {
    return a.at_.record.data() == b.at_.record.data();
  }
  friend bool operator==(const view_iterator& it, std::default_sentinel_t) noexcept {
    return it.at_.record.data() == nullptr;
  }

 private:
  Scan scan_;
  typename Scan::cursor at_{};
};

/// Calls `f` with every record of a scan that was started on all of the memory. It is always
/// inlined, as `riffle::for_each` is.
template <class Scan, class F>
[[gnu::always_inline]] inline void for_each_record(Scan scan, F& f) {
  auto at = scan.resume();
  while (scan.next(at)) {
    if (!wants_more(f, at.record)) return;
  }
  at = scan.last();
  if (at.record.data() != nullptr) wants_more(f, at.record);
}

}  // namespace riffle::inline v0::detail

#endif
