/// SIMD kernels that copy values in the other byte order.
#if defined(RIFFLE_KERNEL_REVERSE_INL_HPP) == defined(RIFFLE_KERNEL_TOGGLE)
#ifdef RIFFLE_KERNEL_REVERSE_INL_HPP
#undef RIFFLE_KERNEL_REVERSE_INL_HPP
#else
#define RIFFLE_KERNEL_REVERSE_INL_HPP
#endif

#include <algorithm>
#include <array>

#include "kernel/kernels.hpp"
#include "kernel/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace riffle::inline v0::kernel::HWY_NAMESPACE {

/// Where each byte of 16 comes from.
template <std::size_t element>
constexpr std::array<std::uint8_t, 16> reversed_places() {
  std::array<std::uint8_t, 16> places{};
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i] = static_cast<std::uint8_t>(i / element * element + (element - 1 - i % element));
  }
  return places;
}

template <std::size_t element>
inline void reverse(const char* from, std::size_t size, char* to) {
  static constexpr auto places = reversed_places<element>();
  const u8_vec order = spread(places.data());
  const auto* const data = reinterpret_cast<const std::uint8_t*>(from);
  auto* const copy = reinterpret_cast<std::uint8_t*>(to);
  std::size_t i = 0;
  for (; i + vector_size <= size; i += vector_size) {
    hn::StoreU(hn::TableLookupBytes(load(data + i), order), u8_tag(), copy + i);
  }
  for (; i < size; i += element) std::reverse_copy(from + i, from + i + element, to + i);
}

}  // namespace riffle::inline v0::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
