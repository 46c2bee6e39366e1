/// Why this file exists: lines and words of memory have the same iterator, around another scan.
#ifndef RIFFLE_DETAIL_VIEW_ITERATOR_HPP
#define RIFFLE_DETAIL_VIEW_ITERATOR_HPP

#include <cstddef>
#include <iterator>
#include <string_view>

namespace riffle::detail {

/// A forward iterator over the records that `Scan` cuts memory into. A copy goes its own way.
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
  /// Stands on the first record of a scan that has been started on all of the memory.
  explicit view_iterator(const Scan& started) : scan_(started), ended_(false) { ++*this; }

  std::string_view operator*() const noexcept { return scan_.current(); }
  view_iterator& operator++() {
    ended_ = !scan_.next() && !scan_.last();
    return *this;
  }
  view_iterator operator++(int) {
    view_iterator before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const view_iterator& a, const view_iterator& b) noexcept {
    return a.ended_ == b.ended_ && (a.ended_ || a.scan_.current().data() == b.scan_.current().data());
  }
  friend bool operator==(const view_iterator& it, std::default_sentinel_t) noexcept { return it.ended_; }

 private:
  Scan scan_;
  bool ended_ = true;
};

}  // namespace riffle::detail

#endif
