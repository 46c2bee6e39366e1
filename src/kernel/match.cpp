/// Matches a batch by one call through the active table of SIMD kernels.
#include <riffle/detail/inline_mask.hpp>
#include <riffle/detail/mask_scan.hpp>
#include <riffle/detail/match_scan.hpp>
#include <riffle/detail/place_scan.hpp>

#include <array>
#include <bit>
#include <cstring>

#include "kernel/kernels.hpp"

namespace riffle::inline v0::detail {

namespace {

// Turns the masks of separators into those of the edges of words.
void to_edges(std::uint64_t* masks, std::size_t count, std::size_t size, bool& in_word) {
  bool before = in_word;  // whether the byte before belongs to a word
  std::uint64_t word = 0;
  for (std::size_t i = 0; i != count; ++i) {
    word = ~masks[i];
    masks[i] = edges(word, before);
    before = word >> 63U != 0;
  }
  if (size == 0) return;
  const std::size_t last = (size - 1) % 64;
  in_word = (word >> last & 1U) != 0;
  masks[count - 1] &= ~std::uint64_t{0} >> (63 - last);  // ~ and the shift have set bits past the last byte
}

// Writes zeros after the masks up to a multiple of 8. Returns which of them are not 0.
std::uint64_t occupied(std::uint64_t* masks, std::size_t count) {
  for (std::size_t i = count; i % 8 != 0; ++i) masks[i] = 0;
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i != count; ++i) bits |= std::uint64_t{masks[i] != 0} << i;
  return bits;
}

}  // namespace

std::size_t match_delimiter::operator()(std::string_view batch, std::uint16_t* places) const {
  return kernel::active().match_delimiter(batch.data(), batch.size(), delimiter, places);
}

std::uint64_t match_word_edges::operator()(std::string_view batch, std::uint64_t* masks) {
  const kernel::table& kernel = kernel::active();
  if (separators == white_space && !line_ends)
    return kernel.match_word_edges(batch.data(), batch.size(), in_word, masks);
  const std::size_t count = scan::mask_words(batch.size());
  if (separators == white_space) {
    kernel.match_word_edges(batch.data(), batch.size(), in_word, masks);
  } else {
    kernel.match_set(batch.data(), batch.size(), separators, masks);
    to_edges(masks, count, batch.size(), in_word);
  }
  if (line_ends) {
    std::array<std::uint64_t, batch_masks> newlines;
    kernel.match_byte(batch.data(), batch.size(), '\n', newlines.data());
    for (std::size_t i = 0; i != count; ++i) masks[i] |= newlines[i];
  }
  return occupied(masks, count);
}

// It marks one run of members after another in all 64 bytes: typical sets have few.
std::uint64_t mask_of_set(const char* data, std::size_t size, byte_set set) noexcept {
  std::array<char, 64> copy{};
  if (size != 64) data = static_cast<const char*>(std::memcpy(copy.data(), size == 0 ? "" : data, size));
  const inline_bytes bytes[] = {inline_bytes(data), inline_bytes(data + 16), inline_bytes(data + 32),
                                inline_bytes(data + 48)};
  const inline_bytes none(0, 0);
  inline_bytes found[] = {none, none, none, none};
  for (unsigned word = 0; word != 4; ++word) {
    for (std::uint64_t left = set.words()[word]; left != 0;) {
      const auto first = static_cast<unsigned>(std::countr_zero(left));
      const std::uint64_t carried =
          left + (std::uint64_t{1} << first);  // 0 or the bit after the run, and more
      const auto last = static_cast<unsigned>(carried == 0 ? 63 : std::countr_zero(carried) - 1);
      left &= carried;
      for (std::size_t i = 0; i != 4; ++i)
        found[i] = found[i] | bytes[i].between(static_cast<char>(word * 64 + first),
                                               static_cast<char>(word * 64 + last));
    }
  }
  const std::uint64_t mask =
      found[0].mask() | found[1].mask() << 16U | found[2].mask() << 32U | found[3].mask() << 48U;
  return size == 64 ? mask : mask & ((std::uint64_t{1} << size) - 1);
}

}  // namespace riffle::inline v0::detail
