/// Sums of numbers in memory or arriving block by block, exact for integers, and for floats the same to the
/// last bit on every kernel and for every block size.
#ifndef RIFFLE_SUM_HPP
#define RIFFLE_SUM_HPP

#include <riffle/export.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>

namespace riffle::inline v0 {

/// What can be summed: the integers of 8 to 64 bits, float and double.
template <class T>
concept summable = !std::same_as<std::remove_cv_t<T>, bool> &&
                   ((std::integral<T> && sizeof(T) <= 8) ||
                    (std::floating_point<T> && std::numeric_limits<T>::is_iec559 && sizeof(T) <= 8));

/// The type of a sum of T: std::int64_t, std::uint64_t or double.
template <summable T>
using sum_t = std::conditional_t<std::floating_point<T>, double,
                                 std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>>;

namespace detail {

enum class element : std::uint8_t { i8, u8, i16, u16, i32, u32, i64, u64, f32, f64 };

template <summable T>
inline constexpr element element_of = [] {
  if (std::floating_point<T>) return sizeof(T) == 4 ? element::f32 : element::f64;
  constexpr unsigned log_size = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
  return static_cast<element>(2 * log_size + (std::is_signed_v<T> ? 0 : 1));
}();

/// The part of `summer` that does not depend on the type in the type system.
class RIFFLE_API sum_state {
 public:
  explicit sum_state(element kind) noexcept : kind_(kind) {}
  /// In bytes.
  [[nodiscard]] std::size_t element_size() const noexcept;
  void add(const char* data, std::size_t size) noexcept;
  void add(const sum_state& other);
  [[nodiscard]] std::int64_t signed_result() const;
  [[nodiscard]] std::uint64_t unsigned_result() const;
  [[nodiscard]] double float_result() const;

 private:
  void add_whole(const char* data, std::size_t count) noexcept;
  void add_integers(const char* data, std::size_t count) noexcept;
  void add_floats(const char* data, std::size_t count) noexcept;
  void require_whole() const;

  element kind_;
  std::uint8_t partial_size_ = 0;  // bytes of an element whose end has not come yet, below its size
  std::uint8_t lane_ = 0;          // where the next float goes: elements so far % 32
  std::array<char, 8> partial_{};
  std::uint64_t low_ = 0;  // the exact sum of the integers, 128 bits in two's complement
  std::uint64_t high_ = 0;
  std::array<double, 32> lanes_{};  // lane i: the sum of the elements whose index % 32 is i
};

}  // namespace detail

/// A sum that grows block by block: `riffle::summer<double>
/// sum; for (...) sum.add_bytes(block.bytes); sum.result()`.
///
/// Integers are summed exactly, in 128 bits. Floats are added to 32 interleaved partial sums of type double,
/// element i to sum i % 32, which `result` adds up in a fixed order, the upper half to the lower half until
/// one is left. So the answer is the same for every kernel and however the input is cut into blocks; and it
/// is as fast as the memory, and more exact than one running sum. NaN and infinities come out as in any sum;
/// a NaN is always the same NaN.
template <summable T>
class summer {
 public:
  summer() = default;
  /// Of a state that `sum` made of a whole input.
  explicit summer(const detail::sum_state& state) noexcept : state_(state) {}

  /// Adds `values`.
  void add(std::span<const T> values) noexcept {
    state_.add(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  /// Adds values in host byte order at any alignment. A value may be cut by the end of `bytes`: it is
  /// completed by the start of the next call's.
  void add_bytes(std::string_view bytes) noexcept { state_.add(bytes.data(), bytes.size()); }

  /// Adds what `other` has summed: sums of parts, made by several threads, become one. For integers only, as
  /// the sum of floats depends on their order.
  ///
  /// Throws `riffle::error` (errc::partial_value) if the bytes added to either end inside a value.
  void add(const summer& other)
    requires std::integral<T>
  {
    state_.add(other.state_);
  }

  /// The sum so far; 0 when nothing was added. More may be added afterwards.
  ///
  /// Throws `riffle::error`: errc::sum_overflow when an integer sum does not fit sum_t<T>;
  /// errc::partial_value when the bytes added end inside a value.
  [[nodiscard]] sum_t<T> result() const {
    if constexpr (std::floating_point<T>) {
      return state_.float_result();
    } else if constexpr (std::is_signed_v<T>) {
      return state_.signed_result();
    } else {
      return state_.unsigned_result();
    }
  }

 private:
  detail::sum_state state_{detail::element_of<T>};
};

namespace scan {

/// Returns the sum of `values`, any contiguous range of numbers; 0 if it is empty. It is what `summer` gives
/// for them, and throws as `summer::result` does.
template <std::ranges::contiguous_range Values>
  requires(std::ranges::sized_range<Values> && summable<std::remove_cv_t<std::ranges::range_value_t<Values>>>)
[[nodiscard]] auto sum(const Values& values) {
  using value = std::remove_cv_t<std::ranges::range_value_t<Values>>;
  summer<value> total;
  total.add(std::span<const value>(std::ranges::data(values), std::ranges::size(values)));
  return total.result();
}

}  // namespace scan

}  // namespace riffle::inline v0

#endif
