/// Offers the iterator over the lines, words or fields of memory.
#pragma once

#include <riffle/detail/arrow.hpp>
#include <riffle/detail/record_iterator.hpp>

#include <cstddef>
#include <iterator>
#include <string_view>

namespace riffle::inline v0::detail {

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

}  // namespace riffle::inline v0::detail
