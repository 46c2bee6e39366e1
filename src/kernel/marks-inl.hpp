/// Why this file exists: the kernels that find where lines end and words start and end, as places in the
/// data, without a branch on where they lie.
#if defined(RIFFLE_KERNEL_MARKS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef RIFFLE_KERNEL_MARKS_INL_HPP
#undef RIFFLE_KERNEL_MARKS_INL_HPP
#else
#define RIFFLE_KERNEL_MARKS_INL_HPP
#endif

#include <bit>

#include "kernel/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace riffle::kernel::HWY_NAMESPACE {

/// Appends the places of the bits of `mask` to `marks`, four at a time whether they are there or not: how
/// many bits a mask has cannot be predicted, and a wrong guess costs more than idle stores. (D. Lemire,
/// "Iterating over set bits quickly", 2018.) Returns the new end.
HWY_INLINE std::uint16_t* flatten(std::uint64_t mask, std::size_t base, std::uint16_t* marks) {
  std::uint16_t* const end = marks + std::popcount(mask);
  do {
    for (std::size_t i = 0; i < 4; ++i) {
      // The top bit only keeps the count defined where there is no bit left; that place is not used.
      const int place = std::countr_zero(mask | std::uint64_t{1} << 63U);
      marks[i] = static_cast<std::uint16_t>(base + static_cast<unsigned>(place));
      mask &= mask - 1;
    }
    marks += 4;
  } while (marks < end);
  return end;
}

/// Flattens the masks of `size` bytes, which `mask_at(place)` and `mask_of_rest(place, rest)` give in order.
/// 256 bytes without a mark are passed over together: with long records most are.
template <class MaskAt, class MaskOfRest>
HWY_INLINE std::size_t find(std::size_t size, std::uint16_t* marks, const MaskAt& mask_at,
                            const MaskOfRest& mask_of_rest) {
  std::uint16_t* end = marks;
  std::size_t place = 0;
  for (; place + 256 <= size; place += 256) {
    const std::uint64_t masks[4] = {mask_at(place), mask_at(place + 64), mask_at(place + 128),
                                    mask_at(place + 192)};
    if ((masks[0] | masks[1] | masks[2] | masks[3]) == 0) continue;
    for (std::size_t i = 0; i < 4; ++i) end = flatten(masks[i], place + i * 64, end);
  }
  for (; place + 64 <= size; place += 64) end = flatten(mask_at(place), place, end);
  if (place < size) end = flatten(mask_of_rest(place, size - place), place, end);
  return static_cast<std::size_t>(end - marks);
}

inline std::size_t find_byte(const char* data, std::size_t size, char byte, std::uint16_t* marks) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(data);
  const one_byte matches(byte);
  return find(
      size, marks, [&](std::size_t place) HWY_ATTR { return match_64(matches, bytes + place); },
      [&](std::size_t, std::size_t rest) HWY_ATTR { return match_rest(matches, bytes, size, rest); });
}

inline std::size_t find_word_edges(const char* data, std::size_t size, bool& in_word, std::uint16_t* marks) {
  static constexpr set_plan white = plan(white_space);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(data);
  const nibble_set matches(white);
  std::uint64_t before = in_word ? 1 : 0;  // bit 0: whether the byte before belongs to a word
  const auto edges = [&before](std::uint64_t word) HWY_ATTR {
    const std::uint64_t result = word ^ (word << 1U | before);
    before = word >> 63U;
    return result;
  };
  const std::size_t count = find(
      size, marks, [&](std::size_t place) HWY_ATTR { return edges(~match_64(matches, bytes + place)); },
      [&](std::size_t, std::size_t rest) HWY_ATTR {
        const std::uint64_t valid = (std::uint64_t{1} << rest) - 1;
        const std::uint64_t word = ~match_rest(matches, bytes, size, rest) & valid;
        const std::uint64_t result = edges(word) & valid;
        before = word >> (rest - 1);
        return result;
      });
  in_word = before != 0;
  return count;
}

}  // namespace riffle::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
