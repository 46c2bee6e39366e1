/// Functions on vectors of bytes for the SIMD kernels: tests of 64 bytes at a time, and of the rest.

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernel/plans.hpp"
#include "kernel/processor.hpp"

HWY_BEFORE_NAMESPACE();
namespace riffle::inline v0::kernel::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using u8_tag = hn::ScalableTag<std::uint8_t>;
using u8_vec = hn::Vec<u8_tag>;
using u8_mask = hn::Mask<u8_tag>;
inline constexpr std::size_t vector_size = hn::MaxLanes(u8_tag());
static_assert(64 % vector_size == 0, "masks are made of whole vectors");

HWY_INLINE u8_vec load(const std::uint8_t* data) {
  return hn::LoadU(u8_tag(), data);
}

HWY_INLINE u8_vec high_nibbles(u8_vec bytes) {
  return hn::ShiftRight<4>(bytes);
}

HWY_INLINE bool is_ascii(u8_vec bytes) {
  const hn::RebindToSigned<u8_tag> signed_tag;
  return hn::AllFalse(signed_tag, hn::Lt(hn::BitCast(signed_tag, bytes), hn::Zero(signed_tag)));
}

/// Prefetches for a scan in order, which is at `data`. What is fetched may lie after the end.
template <prefetching by>
HWY_INLINE void prefetch(const std::uint8_t* data) {
  if (by.in_order != 0) hwy::Prefetch(data + by.in_order);
}

/// How a scan that keeps no order walks its data: in rounds of 64 bytes at four places, which lie `stride`
/// bytes apart and all move on by `step`.
struct walk {
  std::size_t rounds;
  std::size_t stride;
  std::size_t step;
};

/// Returns a walk of at most `most` rounds through some of the first `left` bytes. Its rounds are 0 if they
/// are too few. The four places lie in pages side by side or follow each other.
template <prefetching by>
HWY_INLINE walk walk_of(std::size_t left, std::size_t most = ~std::size_t{0}) {
  constexpr std::size_t page = 4096;
  const std::size_t rounds = HWY_MIN(left / 256, most);
  if (!by.pages) return {rounds, 64, 256};
  const std::size_t in_page = HWY_MIN(rounds, page / 64);
  return {in_page, in_page * 64, 64};
}

/// Prefetches for a scan at four places, of which the first is `data`.
template <prefetching by>
HWY_INLINE void prefetch_places(const std::uint8_t* data, const walk& places) {
  for (std::size_t i = 0; by.in_places != 0 && i != 4; ++i) {
    hwy::Prefetch(data + i * places.stride + by.in_places);
  }
}

/// Returns a vector with the table of 16 entries in each 128-bit part.
HWY_INLINE u8_vec spread(const std::uint8_t* sixteen) {
  alignas(16) std::uint8_t aligned[16];
  std::memcpy(aligned, sixteen, sizeof aligned);
  return hn::LoadDup128(u8_tag(), aligned);
}

#if HWY_ARCH_X86
// PSHUFB looks at the low nibble only and gives 0 for a byte above 0x7F, so no AND is needed.
HWY_INLINE u8_vec look_up_low_nibble(u8_vec table, u8_vec bytes) {
  return hn::TableLookupBytes(table, bytes);
}
#else
HWY_INLINE u8_vec look_up_low_nibble(u8_vec table, u8_vec bytes) {
  return hn::TableLookupBytes(table, hn::And(bytes, hn::Set(u8_tag(), 0x0F)));
}
#endif

/// Matches one byte value.
struct one_byte {
  explicit HWY_INLINE one_byte(char byte) : byte_(hn::Set(u8_tag(), static_cast<std::uint8_t>(byte))) {}
  HWY_INLINE u8_mask operator()(u8_vec bytes) const { return hn::Eq(bytes, byte_); }
  u8_vec byte_;
};

/// Matches a set_shape::cube.
struct cube_set {
  HWY_INLINE cube_set(std::uint8_t mask, std::uint8_t value)
      : mask_(hn::Set(u8_tag(), mask)), value_(hn::Set(u8_tag(), value)) {}
  HWY_INLINE u8_mask operator()(u8_vec bytes) const { return hn::Eq(hn::And(bytes, mask_), value_); }
  u8_vec mask_;
  u8_vec value_;
};

/// Matches a set_shape::nibble.
struct nibble_set {
  explicit HWY_INLINE nibble_set(const set_plan& plan) : by_low_(spread(plan.by_low.data())) {}
  HWY_INLINE u8_mask operator()(u8_vec bytes) const {
    return hn::Eq(look_up_low_nibble(by_low_, bytes), bytes);
  }
  u8_vec by_low_;
};

/// Matches a set_shape::nibble_or_one.
struct nibble_or_one_set {
  explicit HWY_INLINE nibble_or_one_set(const set_plan& plan)
      : nibbles_(plan), one_(static_cast<char>(plan.one_more)) {}
  HWY_INLINE u8_mask operator()(u8_vec bytes) const { return hn::Or(nibbles_(bytes), one_(bytes)); }
  nibble_set nibbles_;
  one_byte one_;
};

/// Matches any set. One lookup finds the row of the low nibble, in the half that bit 7 selects; another finds
/// the bit of the high nibble in it. (W. Mula, "SIMD byte lookup".)
struct any_set {
  explicit HWY_INLINE any_set(const set_plan& plan)
      : low_rows_(spread(plan.rows[0].data())),
        high_rows_(spread(plan.rows[1].data())),
        bits_(spread(high_nibble_bits)) {}
  HWY_INLINE u8_mask operator()(u8_vec bytes) const {
    // TableLookupBytesOr0 gives 0 if bit 7 of the index is set, so only one of the two lookups gives a row.
    const u8_vec index = hn::And(bytes, hn::Set(u8_tag(), 0x8F));
    const u8_vec rows = hn::Or(hn::TableLookupBytesOr0(low_rows_, index),
                               hn::TableLookupBytesOr0(high_rows_, hn::Xor(index, hn::Set(u8_tag(), 0x80))));
    return hn::TestBit(rows, hn::TableLookupBytes(bits_, hn::ShiftRight<4>(bytes)));
  }
  static constexpr std::uint8_t high_nibble_bits[16] = {1, 2, 4, 8, 16, 32, 64, 128,
                                                        1, 2, 4, 8, 16, 32, 64, 128};
  u8_vec low_rows_;
  u8_vec high_rows_;
  u8_vec bits_;
};

/// Returns `run` of what matches the members of `set`, in the shape that takes the fewest instructions.
template <class Run>
HWY_INLINE auto by_shape(const byte_set& set, const Run& run) {
  const set_plan planned = plan(set);
  switch (planned.shape) {
    case set_shape::cube:
      return run(cube_set(planned.mask, planned.value));
    case set_shape::nibble:
      return run(nibble_set(planned));
    case set_shape::nibble_or_one:
      return run(nibble_or_one_set(planned));
    case set_shape::any:
      break;
  }
  return run(any_set(planned));
}

/// Returns one bit for each byte of a vector, in a register: through memory, wide loads would
/// wait for narrow stores.
HWY_INLINE std::uint64_t to_bits(u8_mask mask) {
  static_assert(std::endian::native == std::endian::little, "the first byte must become the lowest bit");
  hwy::UnsignedFromSize<vector_size / 8> bits = 0;
  hn::StoreMaskBits(u8_tag(), mask, reinterpret_cast<std::uint8_t*>(&bits));
  return bits;
}

/// Returns one bit for each of the 64 bytes at `data`.
template <class Matches>
HWY_INLINE std::uint64_t match_64(const Matches& matches, const std::uint8_t* data) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < 64; i += vector_size) bits |= to_bits(matches(load(data + i))) << i;
  return bits;
}

/// Returns one bit for each of the last `rest` (1 to 63) of the `size` bytes at `data`; the bits above are 0.
template <class Matches>
HWY_INLINE std::uint64_t match_rest(const Matches& matches, const std::uint8_t* data, std::size_t size,
                                    std::size_t rest) {
  if (size >= 64) return match_64(matches, data + size - 64) >> (64 - rest);
  alignas(64) std::uint8_t copy[64] = {};
  std::memcpy(copy, data, rest);
  return match_64(matches, copy) & ((std::uint64_t{1} << rest) - 1);
}

#if HWY_ARCH_X86_64 && HWY_TARGET <= HWY_AVX2
/// Returns the number of zeros below the lowest bit; 64 for no bits. The instruction itself: of a
/// function that is defined for 0, the compiler makes a branch for each match.
HWY_INLINE std::uint64_t zeros_below(std::uint64_t bits) {
  return _tzcnt_u64(bits);
}
#else
/// Returns the number of zeros below the lowest bit; any for no bits. The OR spares a branch for each match.
HWY_INLINE std::uint64_t zeros_below(std::uint64_t bits) {
  return static_cast<std::uint64_t>(std::countr_zero(bits | std::uint64_t{1} << 63U));
}
#endif

}  // namespace riffle::inline v0::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
