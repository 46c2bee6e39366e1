/// SIMD kernels that turn bytes into 64-bit masks of the matches, by which lines and words are found.
#if defined(RIFFLE_KERNEL_MATCH_INL_HPP) == defined(RIFFLE_KERNEL_TOGGLE)
#ifdef RIFFLE_KERNEL_MATCH_INL_HPP
#undef RIFFLE_KERNEL_MATCH_INL_HPP
#else
#define RIFFLE_KERNEL_MATCH_INL_HPP
#endif

#include "kernel/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace riffle::inline v0::kernel::HWY_NAMESPACE {

template <prefetching by, class Matches>
HWY_INLINE void match(const Matches& matches, const char* data, std::size_t size, std::uint64_t* masks) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(data);
  const std::size_t whole = size / 64;
  for (std::size_t i = 0; i < whole; ++i) {
    prefetch<by>(bytes + i * 64);
    masks[i] = match_64(matches, bytes + i * 64);
  }
  if (size % 64 != 0) masks[whole] = match_rest(matches, bytes, size, size % 64);
}

template <prefetching by>
inline void match_byte(const char* data, std::size_t size, char byte, std::uint64_t* masks) {
  match<by>(one_byte(byte), data, size, masks);
}

template <prefetching by>
inline void match_set(const char* data, std::size_t size, const byte_set& set, std::uint64_t* masks) {
  by_shape(set, [&](const auto& matches) HWY_ATTR { match<by>(matches, data, size, masks); });
}

}  // namespace riffle::inline v0::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
