/// The SIMD kernel that marks what takes columns in a text, and what ends its lines.
#if defined(RIFFLE_KERNEL_COLUMNS_INL_HPP) == defined(RIFFLE_KERNEL_TOGGLE)
#ifdef RIFFLE_KERNEL_COLUMNS_INL_HPP
#undef RIFFLE_KERNEL_COLUMNS_INL_HPP
#else
#define RIFFLE_KERNEL_COLUMNS_INL_HPP
#endif

#include <cstring>

#include "kernel/kernels.hpp"
#include "kernel/utf8-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace riffle::inline v0::kernel::HWY_NAMESPACE {

/// Matches the bytes above 0x7F, which are negative as signed numbers.
struct not_ascii {
  HWY_INLINE u8_mask operator()(u8_vec bytes) const {
    const hn::RebindToSigned<u8_tag> signed_tag;
    return hn::RebindMask(u8_tag(), hn::Lt(hn::BitCast(signed_tag, bytes), hn::Zero(signed_tag)));
  }
};

/// Marks 64 bytes at a time.
struct column_blocks {
  static constexpr set_plan ends_plan = plan(byte_set("\n\f\r"));
  static_assert(ends_plan.shape == set_shape::nibble);

  explicit HWY_INLINE column_blocks(const column_rules& rules)
      : ones(rules.ones), twos(rules.twos), ends(ends_plan), tab('\t'), utf8(rules.utf8) {}

  HWY_INLINE column_masks take(const std::uint8_t* data) {
    column_masks masks{match_64(ones, data), 0, 0, match_64(ends, data), match_64(tab, data)};
    const std::uint64_t high = utf8 ? match_64(not_ascii(), data) : 0;
    if (high == 0) {
      before = {};
      return masks;
    }
    const std::uint64_t starts = high & match_64(starts_character(), data);
    const places here{masks.ones & starts, match_64(twos, data) & starts, high & ~starts};
    masks.ones &= ~high;
    masks.ones |= (here.of_two << 1U | before.of_two >> 63U) & here.continuations;
    masks.twos = (here.of_three << 2U | before.of_three >> 62U) & here.continuations &
                 (here.continuations << 1U | before.continuations >> 63U);
    masks.others = starts & ~here.of_two & ~here.of_three;
    before = here;
    return masks;
  }

  struct places {
    std::uint64_t of_two = 0;  // the first bytes of characters of two
    std::uint64_t of_three = 0;
    std::uint64_t continuations = 0;
  };

  any_set ones;
  any_set twos;
  nibble_set ends;
  one_byte tab;
  bool utf8;
  places before;  // in the 64 bytes before
};

inline void match_columns(const char* data, std::size_t size, const column_rules& rules,
                          column_masks* masks) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(data);
  column_blocks blocks(rules);
  std::size_t at = 0;
  for (; size - at >= 64; at += 64) {
    prefetch<near_ahead>(bytes + at);
    *masks++ = blocks.take(bytes + at);
  }
  if (const std::size_t rest = size - at; rest != 0) {
    // NUL may take a column, but is nothing else that is marked.
    std::uint8_t copy[64] = {};
    std::memcpy(copy, bytes + at, rest);
    *masks = blocks.take(copy);
    masks->ones &= (std::uint64_t{1} << rest) - 1;
  }
}

}  // namespace riffle::inline v0::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
