/// The SIMD kernel that finds how many bytes the longest line has, without finding the others.
#if defined(RIFFLE_KERNEL_LINE_SIZES_INL_HPP) == defined(RIFFLE_KERNEL_TOGGLE)
#ifdef RIFFLE_KERNEL_LINE_SIZES_INL_HPP
#undef RIFFLE_KERNEL_LINE_SIZES_INL_HPP
#else
#define RIFFLE_KERNEL_LINE_SIZES_INL_HPP
#endif

#include <algorithm>
#include <bit>

#include "kernel/kernels.hpp"
#include "kernel/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace riffle::inline v0::kernel::HWY_NAMESPACE {

// Only the first and the last newline of 64 bytes count, as no line between them has as many bytes. The loop
// has no branch that depends on the text.
inline line_sizes sizes_of_lines(const char* data, std::size_t size) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(data);
  const one_byte newline('\n');
  const one_byte tab('\t');
  u8_vec tabs = hn::Zero(u8_tag());
  std::size_t longest = line_sizes::least;
  std::size_t open = 0;  // bytes behind the last newline
  std::size_t at = 0;
  for (; size - at >= 64; at += 64) {
    prefetch<far_ahead>(bytes + at);
    for (std::size_t i = 0; i < 64; i += vector_size) {
      tabs = hn::Or(tabs, hn::VecFromMask(u8_tag(), tab(load(bytes + at + i))));
    }
    const std::uint64_t ends = match_64(newline, bytes + at);
    longest = std::max(longest, open + static_cast<unsigned>(std::countr_zero(ends)));
    open = (open & (ends == 0 ? ~std::size_t{0} : 0)) + static_cast<unsigned>(std::countl_zero(ends));
  }
  bool has_tab = !hn::AllFalse(u8_tag(), hn::Eq(tabs, hn::Set(u8_tag(), 0xFF)));
  if (const std::size_t rest = size - at; rest != 0) {
    has_tab |= match_rest(tab, bytes, size, rest) != 0;
    const std::uint64_t ends = match_rest(newline, bytes, size, rest);
    if (ends == 0) {
      open += rest;
    } else {
      longest = std::max(longest, open + static_cast<unsigned>(std::countr_zero(ends)));
      open = rest - static_cast<unsigned>(std::bit_width(ends));
    }
  }
  return {std::max(longest, open), open, has_tab};
}

}  // namespace riffle::inline v0::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
