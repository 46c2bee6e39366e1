/// Implements each public scan by one call through the active table of SIMD kernels.
#include <riffle/detail/mask_scan.hpp>
#include <riffle/detail/match_scan.hpp>
#include <riffle/detail/place_scan.hpp>
#include <riffle/kernels.hpp>
#include <riffle/scan.hpp>

#include <array>
#include <bit>
#include <cstring>

#include "kernel/kernels.hpp"
#include "kernel/processor.hpp"

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
  if (separators == word_separators && !line_ends)
    return kernel.match_word_edges(batch.data(), batch.size(), in_word, masks);
  const std::size_t count = detail::mask_words(batch.size());
  if (separators == word_separators) {
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

namespace riffle::inline v0 {

namespace scan {

namespace {

/// Returns the part of `data` that `masks` has bits for, so that nothing is written after too few masks.
std::string_view covered(std::string_view data, std::span<std::uint64_t> masks) noexcept {
  return detail::mask_words(data.size()) <= masks.size() ? data : data.substr(0, masks.size() * 64);
}

// Returns the first match of `match(part, masks)`. It looks at 256 bytes first, because most matches are
// near, then at batches that fit the first-level cache.
template <class Match>
std::size_t find_match(std::string_view data, std::size_t from, Match match) noexcept {
  std::array<std::uint64_t, 64> masks;
  for (std::size_t size = 256; from < data.size(); size = masks.size() * 64) {
    const std::string_view part = data.substr(from, size);
    match(part, masks.data());
    for (std::size_t index = 0; index != detail::mask_words(part.size()); ++index) {
      if (masks[index] != 0)
        return from + index * 64 + static_cast<std::size_t>(std::countr_zero(masks[index]));
    }
    from += part.size();
  }
  return std::string_view::npos;
}

}  // namespace

std::uint64_t count_byte(std::string_view data, char byte) noexcept {
  return kernel::active().count_byte(data.data(), data.size(), byte);
}

std::uint64_t count_any_of(std::string_view data, const byte_set& set) noexcept {
  return kernel::active().count_set(data.data(), data.size(), set);
}

std::uint64_t count_words(std::string_view data, bool in_word) noexcept {
  return kernel::active().count_words(data.data(), data.size(), in_word);
}

std::uint64_t count_utf8(std::string_view data) noexcept {
  return kernel::active().count_utf8(data.data(), data.size());
}

void match_byte(std::string_view data, char byte, std::span<std::uint64_t> masks) noexcept {
  const std::string_view seen = covered(data, masks);
  kernel::active().match_byte(seen.data(), seen.size(), byte, masks.data());
}

void match_any_of(std::string_view data, const byte_set& set, std::span<std::uint64_t> masks) noexcept {
  const std::string_view seen = covered(data, masks);
  kernel::active().match_set(seen.data(), seen.size(), set, masks.data());
}

std::size_t find_byte(std::string_view data, char byte, std::size_t from) noexcept {
  return find_match(data, from, [byte](std::string_view part, std::uint64_t* masks) {
    kernel::active().match_byte(part.data(), part.size(), byte, masks);
  });
}

std::size_t find_any_of(std::string_view data, const byte_set& set, std::size_t from) noexcept {
  return find_match(data, from, [&set](std::string_view part, std::uint64_t* masks) {
    kernel::active().match_set(part.data(), part.size(), set, masks);
  });
}

std::size_t find(std::string_view data, std::string_view text, std::size_t from) noexcept {
  if (from > data.size() || text.empty()) return from > data.size() ? std::string_view::npos : from;
  const std::size_t found =
      kernel::active().find_text(data.data() + from, data.size() - from, kernel::plan(text)) + from;
  return found == data.size() ? std::string_view::npos : found;
}

std::size_t find_invalid_utf8(std::string_view data) noexcept {
  const std::size_t valid = kernel::active().valid_utf8(data.data(), data.size()).size;
  return valid == data.size() ? std::string_view::npos : valid;
}

}  // namespace scan

std::string_view measured_processor() noexcept {
  const char* const kind = kernel::measured_kind(kernel::this_processor());
  return kind == nullptr ? std::string_view() : kind;
}

std::vector<kernel_info> kernels() {
  const kernel::table* const active = &kernel::asked_for();
  std::vector<kernel_info> list;
  for (const kernel::table* const table : kernel::available()) {
    list.push_back({table->name, table == active, kernel::description(*table)});
  }
  return list;
}

kernel_info active_kernel() {
  const kernel::table& active = kernel::active();
  return {active.name, true, kernel::description(active)};
}

}  // namespace riffle::inline v0
