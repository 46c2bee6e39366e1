/// SIMD kernels that count bytes, and words by a set of white space or by that of UTF-8.
#include <algorithm>
#include <cstring>

#include "kernel/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace riffle::inline v0::kernel::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3
/// Counts the matches in a first part of `data`, and moves `at` after it. Comparisons give mask registers
/// here: counting their bits takes less time than turning them back into vectors.
template <prefetching by, class Matches>
HWY_INLINE std::uint64_t count_bulk(const Matches& matches, const std::uint8_t* data, std::size_t size,
                                    std::size_t& at) {
  std::uint64_t totals[4] = {};
  for (walk places = walk_of<by>(size); places.rounds != 0; places = walk_of<by>(size - at)) {
    const std::uint8_t* from = data + at;
    for (std::size_t i = 0; i != places.rounds; ++i, from += places.step) {
      prefetch_places<by>(from, places);
      totals[0] += hwy::PopCount(match_64(matches, from));
      totals[1] += hwy::PopCount(match_64(matches, from + places.stride));
      totals[2] += hwy::PopCount(match_64(matches, from + 2 * places.stride));
      totals[3] += hwy::PopCount(match_64(matches, from + 3 * places.stride));
    }
    at += places.rounds * 256;
  }
  return totals[0] + totals[1] + totals[2] + totals[3];
}
#else
/// Adds 1 to the counter of each byte lane whose `mask` is set (as a vector, a set mask is -1).
HWY_INLINE u8_vec tally(u8_vec counters, u8_mask mask) {
  return hn::Sub(counters, hn::VecFromMask(u8_tag(), mask));
}

/// Counts the matches in a first part of `data`, and moves `at` after it. It counts in bytes of vectors, and
/// adds them up before they can overflow. It has four counters, because each addition waits for the one
/// before.
template <prefetching by, class Matches>
HWY_INLINE std::uint64_t count_bulk(const Matches& matches, const std::uint8_t* data, std::size_t size,
                                    std::size_t& at) {
  const hn::Repartition<std::uint64_t, u8_tag> u64_tag;
  auto total = hn::Zero(u64_tag);
  constexpr std::size_t most = 255 * vector_size / 64;
  for (walk places = walk_of<by>(size, most); places.rounds != 0; places = walk_of<by>(size - at, most)) {
    u8_vec a = hn::Zero(u8_tag());
    u8_vec b = a;
    u8_vec c = a;
    u8_vec d = a;
    const std::uint8_t* from = data + at;
    for (std::size_t i = 0; i != places.rounds; ++i, from += places.step) {
      prefetch_places<by>(from, places);
      for (const std::uint8_t* part = from; part != from + 64; part += vector_size) {
        a = tally(a, matches(load(part)));
        b = tally(b, matches(load(part + places.stride)));
        c = tally(c, matches(load(part + 2 * places.stride)));
        d = tally(d, matches(load(part + 3 * places.stride)));
      }
    }
    at += places.rounds * 256;
    total = hn::Add(
        total, hn::Add(hn::Add(hn::SumsOf8(a), hn::SumsOf8(b)), hn::Add(hn::SumsOf8(c), hn::SumsOf8(d))));
  }
  return hn::GetLane(hn::SumOfLanes(u64_tag, total));
}
#endif

template <prefetching by, class Matches>
HWY_INLINE std::uint64_t count(const Matches& matches, const char* data, std::size_t size) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(data);
  std::size_t at = 0;
  std::uint64_t total = count_bulk<by>(matches, bytes, size, at);
  for (; size - at >= 64; at += 64) total += hwy::PopCount(match_64(matches, bytes + at));
  if (at != size) total += hwy::PopCount(match_rest(matches, bytes, size, size - at));
  return total;
}

template <prefetching by>
inline std::uint64_t count_byte(const char* data, std::size_t size, char byte) {
  return count<by>(one_byte(byte), data, size);
}

template <prefetching by>
inline std::uint64_t count_set(const char* data, std::size_t size, const byte_set& set) {
  return by_shape(set, [&](const auto& matches) HWY_ATTR { return count<by>(matches, data, size); });
}

template <prefetching by>
inline std::uint64_t count_utf8(const char* data, std::size_t size) {
  return size - count<by>(cube_set(0xC0, 0x80), data, size);
}

/// Counts the starts of words, given 64 bytes at a time as masks of their white space.
struct word_starts {
  explicit HWY_INLINE word_starts(bool in_word) : was_white(in_word ? 0 : 1) {}

  /// Takes a mask whose first `size` (1 to 64) bits count: a start is a bit that is not white after one that
  /// is.
  HWY_INLINE void take(std::uint64_t is_white, std::size_t size = 64) {
    const std::uint64_t starts = ~is_white & (is_white << 1U | was_white);
    total += hwy::PopCount(starts & ~std::uint64_t{0} >> (64 - size));
    was_white = is_white >> (size - 1) & 1U;
  }

  std::uint64_t total = 0;
  std::uint64_t was_white;
};

/// Returns what counts the starts of words from `at` on, in a text of which 64 bytes lie before it.
template <class Matches>
HWY_INLINE word_starts starts_from(const Matches& white, const std::uint8_t* at) {
  return word_starts(match_64(white, at - 64) >> 63U == 0);
}

template <prefetching by, class Matches>
HWY_INLINE std::uint64_t count_words_by(const Matches& white, const char* data, std::size_t size,
                                        bool& in_word) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(data);
  word_starts words(in_word);
  std::size_t at = 0;
  // With vectors of 16 bytes finding white space takes longer than memory does, and four places lose.
  const std::size_t most = vector_size > 16 && by.pages ? ~std::size_t{0} : 0;
  for (walk places = walk_of<by>(size, most); places.rounds != 0; places = walk_of<by>(size - at, most)) {
    const std::uint8_t* from = bytes + at;
    word_starts b = starts_from(white, from + places.stride);
    word_starts c = starts_from(white, from + 2 * places.stride);
    word_starts d = starts_from(white, from + 3 * places.stride);
    for (std::size_t i = 0; i != places.rounds; ++i, from += places.step) {
      prefetch_places<by>(from, places);
      words.take(match_64(white, from));
      b.take(match_64(white, from + places.stride));
      c.take(match_64(white, from + 2 * places.stride));
      d.take(match_64(white, from + 3 * places.stride));
    }
    at += places.rounds * 256;
    words.total += b.total + c.total + d.total;
    words.was_white = d.was_white;
  }
  if (!by.pages && by.in_places != 0) {
    for (; size - at >= 256; at += 256) {
      prefetch_places<by>(bytes + at, walk_of<by>(size - at));
      for (std::size_t i = 0; i != 256; i += 64) words.take(match_64(white, bytes + at + i));
    }
  }
  for (; size - at >= 64; at += 64) {
    words.take(match_64(white, bytes + at));
  }
  if (at != size) words.take(match_rest(white, bytes, size, size - at), size - at);
  in_word = words.was_white == 0;
  return words.total;
}

template <prefetching by>
inline std::uint64_t count_words(const char* data, std::size_t size, bool in_word) {
  static constexpr set_plan planned = plan(word_separators);
  static_assert(planned.shape == set_shape::nibble);
  return count_words_by<by>(nibble_set(planned), data, size, in_word);
}

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
  static constexpr set_plan ascii_plan = plan(word_separators);

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
