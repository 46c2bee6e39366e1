/// A SIMD kernel that finds a text: it compares two bytes of it at 64 places at once, then the rest.
#if defined(RIFFLE_KERNEL_FIND_INL_HPP) == defined(RIFFLE_KERNEL_TOGGLE)
#ifdef RIFFLE_KERNEL_FIND_INL_HPP
#undef RIFFLE_KERNEL_FIND_INL_HPP
#else
#define RIFFLE_KERNEL_FIND_INL_HPP
#endif

#include "kernel/plans.hpp"
#include "kernel/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace riffle::inline v0::kernel::HWY_NAMESPACE {

/// Returns the first of the places whose bits are set where the text stands; 64 if it stands at none.
HWY_INLINE std::size_t first_whole(const char* data, std::uint64_t candidates, std::string_view text) {
  for (; candidates != 0; candidates &= candidates - 1) {
    const auto place = static_cast<std::size_t>(std::countr_zero(candidates));
    if (std::memcmp(data + place, text.data(), text.size()) == 0) return place;
  }
  return 64;
}

template <prefetching by>
inline std::size_t find_text(const char* data, std::size_t size, const text_plan& text) {
  if (text.bytes.size() > size) return size;
  const std::size_t places = size - text.bytes.size() + 1;
  const one_byte is_one(text.bytes[text.one]);
  const one_byte is_other(text.bytes[text.other]);
  const auto* const one = reinterpret_cast<const std::uint8_t*>(data) + text.one;
  const auto* const other = reinterpret_cast<const std::uint8_t*>(data) + text.other;
  std::size_t at = 0;
  for (; places - at >= 64; at += 64) {
    prefetch<by>(one + at);
    std::uint64_t candidates = 0;
    for (std::size_t i = 0; i < 64; i += vector_size) {
      candidates |= to_bits(hn::And(is_one(load(one + at + i)), is_other(load(other + at + i)))) << i;
    }
    if (HWY_UNLIKELY(candidates != 0)) {
      const std::size_t found = first_whole(data + at, candidates, text.bytes);
      if (found != 64) return at + found;
    }
  }
  if (at == places) return size;
  const std::size_t rest = places - at;
  const std::uint64_t candidates =
      match_rest(is_one, one, places, rest) & match_rest(is_other, other, places, rest);
  const std::size_t found = first_whole(data + at, candidates, text.bytes);
  return found == 64 ? size : at + found;
}

}  // namespace riffle::inline v0::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
