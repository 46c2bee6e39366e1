/// SIMD kernels that turn bytes into masks of the matches, and find the places of delimiters, or masks of the
/// starts and ends of words, in a batch.

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

/// Returns which of `count` masks (at most 64) are not 0: bit i for masks[i]. Writes zeros after them
/// up to a multiple of 8. It uses vectors after all masks are written, because setting a bit for each
/// mask was slower (docs/tried.md).
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

/// Writes `start` + i for each bit i of `matches`, `at_once` of them without a branch, because a branch for
/// each match is mispredicted too often. The next call overwrites what is too much. Returns the end of those
/// that count. (G. Langdale and D. Lemire, "Parsing gigabytes of JSON per second".)
template <std::size_t at_once>
HWY_INLINE std::uint16_t* write_places(std::uint64_t matches, std::size_t start, std::uint16_t* to) {
  const std::size_t count = hwy::PopCount(matches);
  std::size_t i = 0;
  do {
    for (std::size_t j = 0; j < at_once; ++j) {
      to[i + j] = static_cast<std::uint16_t>(start + zeros_below(matches));
      matches &= matches - 1;
    }
    i += at_once;
  } while (i < count);
  return to + count;
}

/// Writes the places in the 64 bytes at each multiple of 64 below `whole`, and returns their end.
template <std::size_t at_once, prefetching by, bool sparse = false>
HWY_INLINE std::uint16_t* write_all_places(const one_byte& matches, const std::uint8_t* bytes,
                                           std::size_t whole, std::uint16_t* to) {
  for (std::size_t i = 0; i < whole; i += 64) {
    prefetch<by>(bytes + i);
    const std::uint64_t found = match_64(matches, bytes + i);
    if (!sparse || found != 0) to = write_places<at_once>(found, i, to);
  }
  return to;
}

/// How many places are written at once follows from the number in the first 256 bytes.
template <prefetching by>
inline std::size_t match_delimiter(const char* data, std::size_t size, char byte, std::uint16_t* places) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(data);
  const one_byte matches(byte);
  const std::size_t whole = size / 64 * 64;
  std::size_t sample = 0;
  for (std::size_t i = 0; i < HWY_MIN(whole, std::size_t{256}); i += 64) {
    sample += hwy::PopCount(match_64(matches, bytes + i));
  }
  std::uint16_t* to = places;
  if (sample == 0) {
    to = write_all_places<2, by, true>(matches, bytes, whole, to);
  } else if (sample <= 8) {
    to = write_all_places<2, by>(matches, bytes, whole, to);
  } else {
    to = write_all_places<8, by>(matches, bytes, whole, to);
  }
  if (whole != size) to = write_places<2>(match_rest(matches, bytes, size, size - whole), whole, to);
  return static_cast<std::size_t>(to - places);
}

template <prefetching by>
inline std::uint64_t match_word_edges(const char* data, std::size_t size, bool& in_word,
                                      std::uint64_t* masks) {
  static constexpr set_plan white = plan(word_separators);
  match<by>(nibble_set(white), data, size, masks);
  const std::size_t count = detail::mask_words(size);
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
  if (size != 0) in_word = !word_separators.contains(data[size - 1]);
  return occupied(masks, count);
}

}  // namespace riffle::inline v0::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
