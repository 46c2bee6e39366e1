/// SIMD kernels that find the smallest and the largest of numbers.

#include <concepts>

#include "cli/kernel/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace riffle::cli::kernel::HWY_NAMESPACE {

using namespace riffle::kernel::HWY_NAMESPACE;

// No number is below or above a NaN, so the comparison leaves NaNs out. What hn::Min does with them depends
// on the processor.
template <class T, class V>
HWY_INLINE V lesser(V value, V least) {
  if constexpr (std::floating_point<T>) return hn::IfThenElse(hn::Lt(value, least), value, least);
  return hn::Min(value, least);
}
template <class T, class V>
HWY_INLINE V greater(V value, V greatest) {
  if constexpr (std::floating_point<T>) return hn::IfThenElse(hn::Lt(greatest, value), value, greatest);
  return hn::Max(value, greatest);
}

/// Holds the extremes of each lane.
template <class T>
struct lane_extremes {
  using tag = hn::ScalableTag<T>;
  using vec = hn::Vec<tag>;

  // Written out as in `halves`.
  HWY_INLINE lane_extremes()
      : least(hn::Set(tag(), min_max<T>().min)), greatest(hn::Set(tag(), min_max<T>().max)) {}

  HWY_INLINE void add(const std::uint8_t* data) {
    const vec values = hn::BitCast(tag(), load(data));
    least = lesser<T>(values, least);
    greatest = greater<T>(values, greatest);
  }
  HWY_INLINE void add_to(min_max<T>& all) const {
    constexpr std::size_t lanes = vector_size / sizeof(T);
    alignas(64) T low[lanes];
    alignas(64) T high[lanes];
    hn::Store(least, tag(), low);
    hn::Store(greatest, tag(), high);
    for (std::size_t i = 0; i < lanes; ++i) all.add({low[i], high[i]});
  }

  vec least;
  vec greatest;
};

template <class T>
inline min_max<T> find_min_max(const char* data, std::size_t count) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(data);
  const std::size_t size = count * sizeof(T);
  if (size < vector_size) return std::get<min_max_kernel<T>>(scalar().min_max)(data, count);
  lane_extremes<T> a;
  lane_extremes<T> b;
  lane_extremes<T> c;
  lane_extremes<T> d;
  std::size_t at = 0;
  for (; size - at >= 4 * vector_size; at += 4 * vector_size) {
    a.add(bytes + at);
    b.add(bytes + at + vector_size);
    c.add(bytes + at + 2 * vector_size);
    d.add(bytes + at + 3 * vector_size);
  }
  for (; size - at >= vector_size; at += vector_size) a.add(bytes + at);
  b.add(bytes + size - vector_size);  // a number that was seen before changes nothing
  min_max<T> all;
  a.add_to(all);
  b.add_to(all);
  c.add_to(all);
  d.add_to(all);
  return all;
}

}  // namespace riffle::cli::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
