/// The SIMD kernel that validates UTF-8, and counts its characters in the same pass.

#include <algorithm>

#include "kernel/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace riffle::inline v0::kernel::HWY_NAMESPACE {

/// Matches the bytes that do not continue a character: as signed numbers they are above -65.
struct starts_character {
  HWY_INLINE u8_mask operator()(u8_vec bytes) const {
    const hn::RebindToSigned<u8_tag> signed_tag;
    return hn::RebindMask(u8_tag(), hn::Gt(hn::BitCast(signed_tag, bytes), hn::Set(signed_tag, -65)));
  }
};

/// Returns the vector `by_bytes` before the `bytes` at `data`. A load of 64 bytes that crosses a line of the
/// cache takes as long as two, and longer from memory: on Zen 5, characters took 2.1 times the time by three
/// such loads.
template <prefetching by, std::size_t by_bytes>
HWY_INLINE u8_vec earlier(const std::uint8_t* data, u8_vec bytes) {
  if (!by.joined) return load(data - by_bytes);
  return hn::CombineShiftRightBytes<16 - by_bytes>(u8_tag(), bytes, load(data - 16));
}

/// Validates by three lookups (J. Keiser and D. Lemire, "Validating UTF-8 in less than one instruction per
/// byte", 2021). Each of eight errors shows in two neighbouring bytes, and has a bit. A bit that is left
/// by the high and the low nibble of the first byte and the high nibble of the second is an error. `two_more`
/// alone is right where a character of three or four bytes needs another continuation.
struct utf8_errors {
  enum : std::uint8_t {
    cut_short = 1,        // a lead, then no continuation
    lone = 2,             // ASCII, then a continuation
    long_form_of_3 = 4,   // E0, then 80 to 9F
    too_large = 8,        // F4, then 90 to BF; F5 and more, then 90 to BF
    surrogate = 16,       // ED, then A0 to BF
    long_form_of_2 = 32,  // C0 or C1, then a continuation
    long_form_of_4 = 64,  // F0, then 80 to 8F; F5 and more, then 80 to 8F
    two_more = 128,       // two continuations
    any_low = cut_short | lone | two_more,
    large = any_low | too_large | long_form_of_4
  };
  static constexpr std::uint8_t by_first_high[16] = {lone,
                                                     lone,
                                                     lone,
                                                     lone,
                                                     lone,
                                                     lone,
                                                     lone,
                                                     lone,
                                                     two_more,
                                                     two_more,
                                                     two_more,
                                                     two_more,
                                                     cut_short | long_form_of_2,
                                                     cut_short,
                                                     cut_short | long_form_of_3 | surrogate,
                                                     cut_short | too_large | long_form_of_4};
  static constexpr std::uint8_t by_first_low[16] = {
      any_low | long_form_of_3 | long_form_of_2 | long_form_of_4,
      any_low | long_form_of_2,
      any_low,
      any_low,
      any_low | too_large,
      large,
      large,
      large,
      large,
      large,
      large,
      large,
      large,
      large | surrogate,
      large,
      large};
  static constexpr std::uint8_t continued = lone | long_form_of_2 | two_more;
  static constexpr std::uint8_t by_second_high[16] = {cut_short,
                                                      cut_short,
                                                      cut_short,
                                                      cut_short,
                                                      cut_short,
                                                      cut_short,
                                                      cut_short,
                                                      cut_short,
                                                      continued | long_form_of_3 | long_form_of_4,
                                                      continued | long_form_of_3 | too_large,
                                                      continued | surrogate | too_large,
                                                      continued | surrogate | too_large,
                                                      cut_short,
                                                      cut_short,
                                                      cut_short,
                                                      cut_short};

  HWY_INLINE utf8_errors()
      : first_high_(spread(by_first_high)),
        first_low_(spread(by_first_low)),
        second_high_(spread(by_second_high)) {}

  /// Returns what is wrong with the bytes at `data`, given the 16 bytes before them, of which three count: 0
  /// for each valid byte.
  template <prefetching by>
  HWY_INLINE u8_vec find(const std::uint8_t* data) const {
    const u8_vec bytes = load(data);
    const u8_vec before = earlier<by, 1>(data, bytes);
    const u8_vec pairs =
        hn::And(hn::And(hn::TableLookupBytes(first_high_, high_nibbles(before)),
                        hn::TableLookupBytes(first_low_, hn::And(before, hn::Set(u8_tag(), 0x0F)))),
                hn::TableLookupBytes(second_high_, high_nibbles(bytes)));
    // 0x80 or more where the byte two before is E0 or more, or the byte three before F0 or more.
    const u8_vec third = hn::SaturatedSub(earlier<by, 2>(data, bytes), hn::Set(u8_tag(), 0xE0 - 0x80));
    const u8_vec fourth = hn::SaturatedSub(earlier<by, 3>(data, bytes), hn::Set(u8_tag(), 0xF0 - 0x80));
    return hn::Xor(pairs, hn::And(hn::Or(third, fourth), hn::Set(u8_tag(), 0x80)));
  }

  u8_vec first_high_;
  u8_vec first_low_;
  u8_vec second_high_;
};

/// Validates and counts whole blocks of 64 bytes.
template <prefetching by>
struct utf8_blocks {
  HWY_INLINE utf8_blocks() : wrong(hn::Zero(u8_tag())) {}

  /// Takes the 64 bytes at `data`; reads the 16 bytes before them too.
  HWY_INLINE void take(const std::uint8_t* data) {
    u8_vec all = load(data - (by.joined ? 16 : 3));
    for (std::size_t i = 0; i < 64; i += vector_size) all = hn::Or(all, load(data + i));
    if (is_ascii(all)) {
      characters += 64;
      return;
    }
    for (std::size_t i = 0; i < 64; i += vector_size) wrong = hn::Or(wrong, errors.find<by>(data + i));
    characters += hwy::PopCount(match_64(starts_character(), data));
  }
  HWY_INLINE bool valid() const { return hn::AllTrue(u8_tag(), hn::Eq(wrong, hn::Zero(u8_tag()))); }

  utf8_errors errors;
  u8_vec wrong;
  std::uint64_t characters = 0;
};

/// Goes back from `at` to a place between two characters, if the bytes before `at` start valid characters.
HWY_INLINE utf8_prefix between_characters(const char* data, utf8_prefix at) {
  for (std::size_t back = 1; back <= 3 && back <= at.size; ++back) {
    const auto byte = static_cast<std::uint8_t>(data[at.size - back]);
    if (byte < 0x80) return at;
    if (byte < 0xC0) continue;
    const std::size_t size = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    return size > back ? utf8_prefix{at.size - back, at.characters - 1} : at;
  }
  return at;
}

/// Checks for errors once for each KiB. The plain loop finds the exact place in the KiB that has one.
template <prefetching by>
inline utf8_prefix valid_utf8(const char* data, std::size_t size) {
  constexpr std::size_t step = 1024;
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(data);
  utf8_blocks<by> blocks;
  utf8_prefix valid;  // but for a character that may start in its last three bytes
  const auto exactly = [&] {
    const utf8_prefix start = between_characters(data, valid);
    const utf8_prefix rest = scalar().valid_utf8(data + start.size, size - start.size);
    return utf8_prefix{start.size + rest.size, start.characters + rest.characters};
  };
  std::uint8_t copy[64 + 64] = {};  // the bytes before the first, and after the last, are 0
  if (size >= 64) {
    std::memcpy(copy + 64, bytes, 64);
    blocks.take(copy + 64);
    if (!blocks.valid()) return exactly();
    valid = {64, blocks.characters};
    while (size - valid.size >= 64) {
      std::size_t at = valid.size;
      for (const std::size_t end = at + std::min(step, (size - at) / 64 * 64); at != end; at += 64) {
        prefetch<by>(bytes + at);
        blocks.take(bytes + at);
      }
      if (!blocks.valid()) return exactly();
      valid = {at, blocks.characters};
    }
    std::memcpy(copy + 61, bytes + valid.size - 3, 3);
  }
  const std::size_t rest = size - valid.size;
  std::memset(copy + 64, 0, 64);
  if (rest != 0) std::memcpy(copy + 64, bytes + valid.size, rest);
  blocks.take(copy + 64);
  if (!blocks.valid()) return exactly();
  return {size, blocks.characters - (64 - rest)};
}

}  // namespace riffle::inline v0::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
