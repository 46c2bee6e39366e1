/// The SIMD kernel that counts lines, and those that start with a text.

#include "cli/kernel/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace riffle::cli::kernel::HWY_NAMESPACE {

using namespace riffle::kernel::HWY_NAMESPACE;

/// Counts, given 64 bytes at a time as masks: of the delimiters, and of those with the first byte of the text
/// after them.
struct start_counter {
  HWY_INLINE void take(std::uint64_t ends, std::uint64_t starts, const char* after, const char* data_end) {
    found.ends += hwy::PopCount(ends);
    if (rest.empty()) {
      found.starts += hwy::PopCount(starts);
      return;
    }
    for (; HWY_UNLIKELY(starts != 0); starts &= starts - 1) {
      const char* const place = after + std::countr_zero(starts) + 1;
      if (static_cast<std::size_t>(data_end - place) < rest.size()) return;
      if (std::memcmp(place, rest.data(), rest.size()) == 0) ++found.starts;
    }
  }

  std::string_view rest;  // of the text, after its first byte
  line_starts found = {};
};

inline line_starts count_line_starts(const char* data, std::size_t size, char delimiter,
                                     std::string_view text) {
  const one_byte is_end(delimiter);
  const one_byte is_first(text.front());
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(data);
  start_counter counter{text.substr(1)};
  const char* const data_end = data + size;
  std::size_t at = 0;
  for (; size - at > 64; at += 64) {
    const std::uint64_t ends = match_64(is_end, bytes + at);
    counter.take(ends, ends & match_64(is_first, bytes + at + 1), data + at + 1, data_end);
  }
  const std::size_t left = size - at;  // at most 64
  if (left == 0) return counter.found;
  alignas(64) std::uint8_t copy[64] = {};
  std::memcpy(copy, bytes + at, left);
  const std::uint64_t is_there = ~std::uint64_t{0} >> (64 - left);
  const std::uint64_t ends = match_64(is_end, copy) & is_there;
  const std::uint64_t firsts = match_64(is_first, copy) & is_there;
  counter.take(ends, ends & firsts >> 1U, data + at + 1, data_end);
  return counter.found;
}

}  // namespace riffle::cli::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
