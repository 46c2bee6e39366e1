/// SIMD kernels that count words by a set of white space, or by that of UTF-8.
#if defined(RIFFLE_KERNEL_WORDS_INL_HPP) == defined(RIFFLE_KERNEL_TOGGLE)
#ifdef RIFFLE_KERNEL_WORDS_INL_HPP
#undef RIFFLE_KERNEL_WORDS_INL_HPP
#else
#define RIFFLE_KERNEL_WORDS_INL_HPP
#endif

#include <algorithm>
#include <cstring>

#include "kernel/count-inl.hpp"
#include "kernel/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace riffle::inline v0::kernel::HWY_NAMESPACE {

template <prefetching by>
inline std::uint64_t count_words_of_set(const char* data, std::size_t size, const byte_set& white,
                                        bool& in_word) {
  return by_shape(
      white, [&](const auto& matches) HWY_ATTR { return count_words_by<by>(matches, data, size, in_word); });
}

/// Holds a bit for each group of white space, by the nibbles of its bytes.
struct group_tables {
  std::uint8_t first_low[16] = {};
  std::uint8_t first_high[16] = {};
  std::uint8_t second_low[16] = {};  // of three bytes, as the members of the groups say the rest
  std::uint8_t second_high[16] = {};
  std::uint8_t third_high[16] = {};

  constexpr group_tables() {
    for (unsigned i = 0; i < utf8_white_space::groups.size(); ++i) {
      const utf8_white_space::group& group = utf8_white_space::groups[i];
      const auto add = [i](std::uint8_t& entry) { entry = static_cast<std::uint8_t>(entry | 1U << i); };
      add(first_low[group.lead & 15U]);
      add(first_high[group.lead >> 4U]);
      if (group.second == 0) {
        add(second_high[group.high]);
        for (std::uint8_t& entry : third_high) add(entry);
      } else {
        add(second_low[group.second & 15U]);
        add(second_high[group.second >> 4U]);
        add(third_high[group.high]);
      }
    }
  }
};

/// Finds the white space of UTF-8 in blocks of 64 bytes. A byte looked up gives the groups that it fits; what
/// is left by all bytes of a character is the group that it is a member of.
struct utf8_white_blocks {
  static constexpr group_tables table{};
  static constexpr set_plan ascii_plan = plan(white_space);

  explicit HWY_INLINE utf8_white_blocks(const utf8_white_space& white)
      : ascii_(ascii_plan),
        first_low_(spread(table.first_low)),
        first_high_(spread(table.first_high)),
        second_low_(hn::Or(spread(table.second_low), hn::And(spread(white.by_low().data()), two_bytes()))),
        second_high_(spread(table.second_high)),
        third_low_(hn::Or(spread(white.by_low().data()), two_bytes())),
        third_high_(spread(table.third_high)) {}

  /// Returns one bit for each of the 64 bytes at `data` that belongs to white space. It reads two bytes more.
  HWY_INLINE std::uint64_t match(const std::uint8_t* data) {
    const std::uint64_t white = match_64(ascii_, data) | over_;
    over_ = 0;
    u8_vec all = load(data);
    for (std::size_t i = vector_size; i < 64; i += vector_size) all = hn::Or(all, load(data + i));
    if (is_ascii(all)) return white;
    std::uint64_t first = 0;  // the first byte of each character
    std::uint64_t three = 0;  // the same for those of three bytes
    for (std::size_t i = 0; i < 64; i += vector_size) {
      const u8_vec groups = hn::And(hn::And(fitting(first_low_, first_high_, load(data + i)),
                                            fitting(second_low_, second_high_, load(data + i + 1))),
                                    fitting(third_low_, third_high_, load(data + i + 2)));
      first |= to_bits(hn::Ne(groups, hn::Zero(u8_tag()))) << i;
      three |= to_bits(hn::Gt(groups, two_bytes())) << i;
    }
    over_ = first >> 63U | three >> 62U;
    return white | first | first << 1U | three << 2U;
  }

 private:
  static HWY_INLINE u8_vec two_bytes() { return hn::Set(u8_tag(), utf8_white_space::of_two_bytes); }
  static HWY_INLINE u8_vec fitting(u8_vec low, u8_vec high, u8_vec bytes) {
    return hn::And(hn::TableLookupBytes(low, hn::And(bytes, hn::Set(u8_tag(), 0x0F))),
                   hn::TableLookupBytes(high, high_nibbles(bytes)));
  }
  nibble_set ascii_;
  u8_vec first_low_;
  u8_vec first_high_;
  u8_vec second_low_;
  u8_vec second_high_;
  u8_vec third_low_;
  u8_vec third_high_;
  std::uint64_t over_ = 0;  // the bits of a character that reaches into the next block
};

template <prefetching by>
inline std::uint64_t count_words_utf8(const char* data, std::size_t size, const utf8_white_space& white,
                                      bool& in_word) {
  constexpr std::size_t behind = 2;  // what a match reads after its block
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(data);
  utf8_white_blocks blocks(white);
  word_starts words(in_word);
  std::size_t at = 0;
  for (; size - at >= 64 + behind; at += 64) {
    prefetch<by>(bytes + at);
    words.take(blocks.match(bytes + at));
  }
  std::uint8_t copy[2 * 64 + vector_size] = {};
  if (at != size) std::memcpy(copy, bytes + at, size - at);
  for (std::size_t i = 0; at + i < size; i += 64) {
    words.take(blocks.match(copy + i), std::min<std::size_t>(64, size - at - i));
  }
  in_word = words.was_white == 0;
  return words.total;
}

}  // namespace riffle::inline v0::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
