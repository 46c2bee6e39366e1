/// Offers sums of numbers, in memory or block by block: exact for integers, reproducible for floats.
#pragma once

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

/// Accepts the types that can be summed: the integers of 8 to 64 bits, float and double.
template <class T>
concept summable = !std::same_as<std::remove_cv_t<T>, bool> &&
                   ((std::integral<T> && sizeof(T) <= 8) ||
                    (std::floating_point<T> && std::numeric_limits<T>::is_iec559 && sizeof(T) <= 8));

/// Names the type of a sum of T: std::int64_t, std::uint64_t or double.
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

/// Implements `summer` for all types: the type of the numbers is a value here.
class RIFFLE_API sum_state {
 public:
  explicit sum_state(element kind) noexcept : kind_(kind) {}
  /// Returns the size of one number in bytes.
  [[nodiscard]] std::size_t element_size() const noexcept;
  void add(const char* data, std::size_t size) noexcept;
  void add(const sum_state& other);
  [[nodiscard]] std::int64_t signed_result() const;
  [[nodiscard]] std::uint64_t unsigned_result() const;
  [[nodiscard]] double float_result() const;
  /// Returns the sum of integers in 128 bits of two's complement, the lower half first.
  [[nodiscard]] std::array<std::uint64_t, 2> exact_result() const;

 private:
  void add_whole(const char* data, std::size_t count) noexcept;
  void add_integers(const char* data, std::size_t count) noexcept;
  void add_floats(const char* data, std::size_t count) noexcept;
  void require_whole() const;

  element kind_;
  std::uint8_t partial_size_ = 0;  // bytes of an element whose end is still missing, fewer than its size
  std::uint8_t lane_ = 0;          // where the next float goes: elements so far % 32
  std::array<char, 8> partial_{};
  std::uint64_t low_ = 0;  // the exact sum of the integers, 128 bits in two's complement
  std::uint64_t high_ = 0;
  std::array<double, 32> lanes_{};  // lane i: the sum of the elements whose index % 32 is i
};

}  // namespace detail

/// Sums numbers block by block: call `add` or `add_bytes` for each block, then `result`.
///
/// It sums integers exactly, in 128 bits. It adds floats to 32 partial sums of type double, element i to sum
/// i % 32. `result` adds the upper half of the partial sums to the lower half until one is left. So the
/// answer is the same to the last bit for every SIMD kernel and for every block size. If the answer is a NaN,
/// it is always the same NaN.
///
/// Thread safety: one thread at a time.
template <summable T>
class summer {
 public:
  /// Starts at 0.
  summer() = default;
  /// Starts at the state of another sum. `riffle::sum` uses it.
  explicit summer(const detail::sum_state& state) noexcept : state_(state) {}

  /// Adds `values`.
  void add(std::span<const T> values) noexcept {
    state_.add(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  /// Adds the values in `bytes`, in the byte order of this machine and at any alignment. If `bytes` ends
  /// inside a value, the next call completes it.
  void add_bytes(std::string_view bytes) noexcept { state_.add(bytes.data(), bytes.size()); }

  /// Adds the sum of `other`, which another thread may have made of another part. It exists for integers
  /// only, because the sum of floats depends on their order.
  ///
  /// Throws `riffle::error` (`errc::partial_value`) if the bytes added to either end inside a value.
  void add(const summer& other)
    requires std::integral<T>
  {
    state_.add(other.state_);
  }

  /// Returns the sum so far; 0 if nothing was added. You may add more afterwards.
  ///
  /// Throws `riffle::error`: `errc::sum_overflow` if an integer sum does not fit `sum_t<T>`;
  /// `errc::partial_value` if the bytes added end inside a value.
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

/// Sums floats exactly, in any order, and rounds once: `add` each, then `result`. It holds an integer of
/// 2,176 bits that counts 2^-1074, the least double: the "small superaccumulator" of R. M. Neal, "Fast exact
/// summation using small and large superaccumulators" (2015). It takes 560 bytes.
///
/// Thread safety: one thread at a time; `add` the sums of other threads.
class RIFFLE_API exact_sum {
 public:
  /// Adds a number.
  void add(double value) noexcept;
  /// Adds the sum of other numbers, as if each had been added here.
  void add(const exact_sum& other) noexcept;
  /// Returns the sum so far, rounded once to the nearest double, or to the even one of two; 0 if nothing was
  /// added. Infinities and NaNs give what they give if they are added as doubles, and always the same NaN.
  [[nodiscard]] double result() const noexcept;

 private:
  void carry() noexcept;

  // Digit i counts 2^(32 i - 1074). An addition changes a digit by less than 2^33, so that 2^29 of them have
  // room.
  std::array<std::int64_t, 68> digits_{};
  std::uint32_t uncarried_ = 0;  // additions since `carry`
  double special_ = 0;           // the sum of the infinities and NaNs
};

namespace scan {

/// Returns the sum of `values`, a contiguous range of numbers, as `summer` gives it; 0 if the range is empty.
///
/// Throws `riffle::error` (`errc::sum_overflow`) if an integer sum does not fit `sum_t`.
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
