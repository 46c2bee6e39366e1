/// Lets an object that was moved from forget the bytes that another one owns now.
#pragma once

#include <utility>

namespace riffle::inline v0::detail {

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

}  // namespace riffle::inline v0::detail
