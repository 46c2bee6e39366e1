/// Lets `it->size()` work with iterators that make their values.
#pragma once

#include <riffle/export.hpp>

namespace riffle::inline v0::detail {

/// Holds such a value for the length of the expression.
template <class T>
struct arrow {
  T value;
  const T* operator->() const noexcept { return &value; }
};

}  // namespace riffle::inline v0::detail
