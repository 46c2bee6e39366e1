/// Finds the matches in memory by one mask at a time, in few enough words for an iterator that is copied.
#ifndef RIFFLE_DETAIL_MASK_SCAN_HPP
#define RIFFLE_DETAIL_MASK_SCAN_HPP

#include <riffle/detail/inline_mask.hpp>
#include <riffle/scan.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace riffle::inline v0::detail {

/// Matches every delimiter.
struct mask_of_delimiter {
  char delimiter;
  /// Returns the mask of the first 64 of `size` bytes.
  std::uint64_t operator()(const char* data, std::size_t size) const noexcept {
    return inline_mask(data, size, [wanted = delimiter](inline_bytes bytes) { return bytes.equal(wanted); });
  }
  /// Returns the first match, or `end`.
  const char* find(const char* data, const char* end) const noexcept {
    const std::string_view rest(data, static_cast<std::size_t>(end - data));
    return data + std::min(scan::find_byte(rest, delimiter), rest.size());
  }
};

/// Finds the bytes that a match such as `mask_of_delimiter` matches, in order. Each call takes the same
/// match.
class mask_scan {
 public:
  /// Finds nothing.
  mask_scan() = default;
  template <class Match>
  mask_scan(std::string_view memory, Match match) noexcept : end_(memory.data() + memory.size()) {
    step(memory.data(), match);
  }

  /// Returns the next byte that matches; null if there is none.
  template <class Match>
  [[gnu::always_inline]] const char* next(Match match) noexcept {
    if (mask_ == 0) {
      if (end_ - base_ <= 64) return nullptr;
      step(base_ + 64, match);
      if (mask_ == 0) return nullptr;
    }
    const char* const found = base_ + static_cast<unsigned>(std::countr_zero(mask_));
    mask_ &= mask_ - 1;
    return found;
  }

  /// Returns the end of the memory.
  const char* end() const noexcept { return end_; }

 private:
  struct place {
    std::uint64_t mask;
    const char* base;
  };

  template <class Match>
  [[gnu::always_inline]] void step(const char* from, Match match) noexcept {
    const place found = first_mask(from, end_, match);
    mask_ = found.mask;
    base_ = found.base;
  }
  // Returns the first mask from `from` on that is not 0, or the last one. It is one function for all loops
  // and gives its result in registers: inlined, it made an iterator too large for clang to keep in registers.
  template <class Match>
  [[gnu::noinline]] static place first_mask(const char* from, const char* end, Match match) noexcept {
    const std::size_t size = static_cast<std::size_t>(end - from);
    const std::uint64_t mask = match(from, size);
    if (mask != 0 || size <= 64) return {mask, from};
    return far_mask(from + 64, end, match);
  }
  // The same behind 64 bytes without a match. It is apart, so that the first function has no call to save
  // registers for.
  template <class Match>
  [[gnu::noinline]] static place far_mask(const char* from, const char* end, Match match) noexcept {
    const std::uint64_t mask = match(from, static_cast<std::size_t>(end - from));
    if (mask != 0 || end - from <= 64) return {mask, from};
    from = match.find(from + 64, end);
    return {match(from, static_cast<std::size_t>(end - from)), from};
  }

  std::uint64_t mask_ = 0;      // the matches left in the 64 bytes at `base_`
  const char* base_ = nullptr;  // at most `end_`
  const char* end_ = nullptr;
};

}  // namespace riffle::inline v0::detail

#endif
