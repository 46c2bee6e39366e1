/// SIMD kernels that match the ends of lines, or the starts and ends of words, in a batch with a
/// mask of its masks.
#if defined(RIFFLE_KERNEL_MATCH_BATCH_INL_HPP) == defined(RIFFLE_KERNEL_TOGGLE)
#ifdef RIFFLE_KERNEL_MATCH_BATCH_INL_HPP
#undef RIFFLE_KERNEL_MATCH_BATCH_INL_HPP
#else
#define RIFFLE_KERNEL_MATCH_BATCH_INL_HPP
#endif

#include "kernel/match-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace riffle::inline v0::kernel::HWY_NAMESPACE {

/// Returns which of `count` masks (at most 64) are not 0: bit i for masks[i]. Writes zeros behind them
/// up to a multiple of 8. It uses vectors after all masks are written, because setting a bit for each
/// mask was slower (docs/performance.md).
HWY_INLINE std::uint64_t occupied(std::uint64_t* masks, std::size_t count) {
  const hn::CappedTag<std::uint64_t, 8> tag;
  for (std::size_t i = count; i % 8 != 0; ++i) masks[i] = 0;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < count; i += hn::Lanes(tag)) {
    std::uint8_t some[8] = {};
    hn::StoreMaskBits(tag, hn::Ne(hn::LoadU(tag, masks + i), hn::Zero(tag)), some);
    bits |= std::uint64_t{some[0]} << i;
  }
  return bits;
}

template <bool pages>
inline std::uint64_t match_delimiter(const char* data, std::size_t size, char byte, std::uint64_t* masks) {
  match<pages>(one_byte(byte), data, size, masks);
  return occupied(masks, scan::mask_words(size));
}

template <bool pages>
inline std::uint64_t match_word_edges(const char* data, std::size_t size, bool& in_word,
                                      std::uint64_t* masks) {
  static constexpr set_plan white = plan(white_space);
  match<pages>(nibble_set(white), data, size, masks);
  const std::size_t count = scan::mask_words(size);
  std::uint64_t before = in_word ? 1 : 0;  // bit 0: whether the byte before belongs to a word
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t word = ~masks[i];
    masks[i] = word ^ (word << 1U | before);
    before = word >> 63U;
  }
  if (const std::size_t rest = size % 64; rest != 0) {
    // ~ and the shift have set bits past the last byte.
    const std::uint64_t valid = (std::uint64_t{1} << rest) - 1;
    masks[count - 1] &= valid;
  }
  if (size != 0) in_word = !white_space.contains(data[size - 1]);
  return occupied(masks, count);
}

}  // namespace riffle::inline v0::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
