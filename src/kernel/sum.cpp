/// Implements sums that are exact and independent of the block size, by SIMD kernels that only add.
#include <riffle/error.hpp>
#include <riffle/sum.hpp>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernel/kernels.hpp"

namespace riffle::inline v0::detail {

namespace {

static_assert(FLT_EVAL_METHOD == 0,
              "the same float sum everywhere needs doubles that are rounded at each step");

constexpr std::size_t size_of(element kind) noexcept {
  switch (kind) {
    case element::i8:
    case element::u8:
      return 1;
    case element::i16:
    case element::u16:
      return 2;
    case element::i32:
    case element::u32:
    case element::f32:
      return 4;
    case element::i64:
    case element::u64:
    case element::f64:
      return 8;
  }
  return 1;
}

kernel::wide sum_integers(const kernel::table& kernel, element kind, const char* data,
                          std::size_t count) noexcept {
  switch (kind) {
    case element::i8:
      return kernel.sum_i8(data, count);
    case element::u8:
      return kernel.sum_u8(data, count);
    case element::i16:
      return kernel.sum_i16(data, count);
    case element::u16:
      return kernel.sum_u16(data, count);
    case element::i32:
      return kernel.sum_i32(data, count);
    case element::u32:
      return kernel.sum_u32(data, count);
    case element::i64:
      return kernel.sum_i64(data, count);
    case element::u64:
      return kernel.sum_u64(data, count);
    case element::f32:
    case element::f64:
      break;
  }
  return {};
}

[[noreturn]] void overflow(std::string_view type) {
  throw error(make_error_code(errc::sum_overflow), "sum values as", type, std::nullopt,
              "sum them as f64 instead");
}

}  // namespace

std::size_t sum_state::element_size() const noexcept {
  return size_of(kind_);
}

void sum_state::add(const char* data, std::size_t size) noexcept {
  const std::size_t element_size = size_of(kind_);
  if (partial_size_ != 0) {
    const std::size_t taken = std::min(size, element_size - partial_size_);
    if (taken != 0) std::memcpy(partial_.data() + partial_size_, data, taken);
    partial_size_ = static_cast<std::uint8_t>(partial_size_ + taken);
    if (partial_size_ < element_size) return;
    partial_size_ = 0;
    add_whole(partial_.data(), 1);
    data += taken;
    size -= taken;
  }
  const std::size_t rest = size % element_size;
  add_whole(data, size / element_size);
  if (rest != 0) std::memcpy(partial_.data(), data + (size - rest), rest);
  partial_size_ = static_cast<std::uint8_t>(rest);
}

void sum_state::add(const sum_state& other) {
  require_whole();
  other.require_whole();
  kernel::wide total{low_, high_};
  total += {other.low_, other.high_};
  low_ = total.low;
  high_ = total.high;
}

void sum_state::add_whole(const char* data, std::size_t count) noexcept {
  if (kind_ == element::f32 || kind_ == element::f64) {
    add_floats(data, count);
  } else {
    add_integers(data, count);
  }
}

void sum_state::add_integers(const char* data, std::size_t count) noexcept {
  const kernel::table& kernel = kernel::active();
  kernel::wide total{low_, high_};
  while (count != 0) {
    const std::size_t some = std::min(count, kernel::max_sum_count);
    total += sum_integers(kernel, kind_, data, some);
    data += some * size_of(kind_);
    count -= some;
  }
  low_ = total.low;
  high_ = total.high;
}

void sum_state::add_floats(const char* data, std::size_t count) noexcept {
  static_assert(std::tuple_size_v<decltype(lanes_)> == kernel::float_lanes);
  const kernel::table& kernel = kernel::active();
  const auto add = kind_ == element::f32 ? kernel.add_f32 : kernel.add_f64;
  // First up to the end of a round of lanes, then from lane 0 on: the SIMD kernels always start at lane 0.
  const std::size_t head = std::min(count, (kernel::float_lanes - lane_) % kernel::float_lanes);
  add(data, head, lanes_.data() + lane_);
  if (count > head) add(data + head * size_of(kind_), count - head, lanes_.data());
  lane_ = static_cast<std::uint8_t>((lane_ + count) % kernel::float_lanes);
}

void sum_state::require_whole() const {
  if (partial_size_ == 0) return;
  throw error(make_error_code(errc::partial_value), "sum", "values", std::nullopt,
              "bytes of the last value are missing");
}

std::int64_t sum_state::signed_result() const {
  require_whole();
  const auto value = static_cast<std::int64_t>(low_);
  if (kernel::widened(value) != kernel::wide{low_, high_}) overflow("i64");
  return value;
}

std::uint64_t sum_state::unsigned_result() const {
  require_whole();
  if (high_ != 0) overflow("u64");
  return low_;
}

std::array<std::uint64_t, 2> sum_state::exact_result() const {
  require_whole();
  return {low_, high_};
}

double sum_state::float_result() const {
  require_whole();
  std::array<double, kernel::float_lanes> sums = lanes_;
  for (std::size_t half = sums.size() / 2; half != 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) sums[i] += sums[i + half];
  }
  // Which of two NaNs an addition returns depends on the order of operands that the compiler chose.
  return std::isnan(sums[0]) ? std::numeric_limits<double>::quiet_NaN() : sums[0];
}

}  // namespace riffle::inline v0::detail
