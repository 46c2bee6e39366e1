/// Finds the matched bytes of a region (delimiters, edges of words): one call gives the masks of a batch, and
/// the loop of the caller walks them.
#ifndef RIFFLE_DETAIL_MATCH_SCAN_HPP
#define RIFFLE_DETAIL_MATCH_SCAN_HPP

#include <riffle/export.hpp>
#include <riffle/scan.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace riffle::inline v0::detail {

/// Throws that a record is longer than `max_length`.
[[noreturn]] RIFFLE_API void fail_too_long(std::string_view name, std::uint64_t offset);

/// A batch has one mask for each 64 bytes, and at most 64
/// of them, so that one more mask tells which are not 0.
inline constexpr std::size_t batch_masks = 64;

/// Matches every delimiter.
struct match_delimiter {
  char delimiter;
  /// Fills the masks of `batch` and, up to a multiple of 8,
  /// zeros behind them; returns which of them are not 0.
  RIFFLE_API std::uint64_t operator()(std::string_view batch, std::uint64_t* masks) const;
};

/// Matches every byte where a word starts, and every byte right after a word; the two take turns.
struct match_word_edges {
  bool in_word = false;  // whether the byte before the next batch belongs to a word
  /// As for `match_delimiter`.
  RIFFLE_API std::uint64_t operator()(std::string_view batch, std::uint64_t* masks);
};

/// Where a scan stands in its batch. Kept by the loop, by value, never by address: so it stays in registers.
struct match_cursor {
  std::uint64_t mask = 0;      // the matches left in the 64 bytes at `base`
  const char* base = nullptr;  // in the batch, or right behind it
  std::size_t index = 0;       // of the mask
};

/// Finds the bytes that `Match` matches, in the order of their places, `batch_masks` * 64 bytes at a time.
/// Dense matches are found by stepping from mask to mask, sparse ones by the mask of masks. Can be copied: it
/// holds no pointer into itself.
///
/// Tried and lost, on lines of 67 bytes in the cache (Cascade Lake, g++ 12 -O2): matches turned into a list
/// of places by the kernel 6.9 ns a line, masks found by the mask of masks alone 4.4, this 4.1 (and two
/// thirds of the time of stepping alone at 4 KiB a line). docs/performance.md has more.
template <class Match>
class match_scan {
 public:
  explicit match_scan(Match match) : match_(match) {}

  Match& match() noexcept { return match_; }

  /// Goes on in `region`, which must stay where it is until the scan has left it.
  void start(std::string_view region) noexcept {
    rest_ = region;
    batch_ = region.data();
  }

  /// Leaves out what lies before `place`, unless the batch looked at last holds it.
  void pass(const char* place) noexcept {
    if (place <= rest_.data()) return;
    rest_ = {place, static_cast<std::size_t>(rest_.data() + rest_.size() - place)};
    batch_ = place;
  }

  /// The cursor before the first match at or behind `from`, where a loop that has been left goes on.
  match_cursor resume(const char* from) const noexcept {
    const std::size_t done = from > batch_ ? static_cast<std::size_t>(from - batch_) : 0;
    if (done / 64 >= scan::mask_words(static_cast<std::size_t>(rest_.data() - batch_))) return used_up();
    return {masks_[done / 64] & ~std::uint64_t{0} << done % 64, batch_ + done / 64 * 64, done / 64};
  }

  /// Whether there is a match left in the region; `take` then gives it.
  [[gnu::always_inline]] bool more(match_cursor& at) {
    if (at.mask != 0) return true;
    at.base += 64;
    at.mask = masks_[++at.index];
    // The next batch, a line at a time while this one is walked: its masks are then made at the speed of the
    // cache. (Lines of 67 bytes, from memory: 0.9 of the limit with this, 0.55 without.)
    __builtin_prefetch(at.base + batch_masks * 64);
    if (at.mask == 0) at = skip(at.index);
    return at.mask != 0;
  }
  /// The next matched byte.
  [[gnu::always_inline]] static const char* take(match_cursor& at) noexcept {
    const char* const found = at.base + static_cast<unsigned>(std::countr_zero(at.mask));
    at.mask &= at.mask - 1;
    return found;
  }

 private:
  // The next step leads to the 0 behind all masks.
  match_cursor used_up() const noexcept { return {0, batch_, batch_masks - 1}; }

  // The first mask that is not 0, of those from `index` on and of further batches.
  [[gnu::noinline]] match_cursor skip(std::size_t index) {
    std::uint64_t left = index < batch_masks ? occupied_ >> index : 0;
    while (left == 0) {
      if (rest_.empty()) return used_up();
      const std::string_view batch = rest_.substr(0, batch_masks * 64);
      batch_ = batch.data();
      rest_.remove_prefix(batch.size());
      left = occupied_ = match_(batch, masks_.data());
      masks_[scan::mask_words(batch.size())] = 0;
      index = 0;
    }
    index += static_cast<std::size_t>(std::countr_zero(left));
    return {masks_[index], batch_ + index * 64, index};
  }

  Match match_;
  std::string_view rest_;                               // of the region, behind the batch
  const char* batch_ = nullptr;                         // looked at last
  std::uint64_t occupied_ = 0;                          // which of its masks are not 0
  std::array<std::uint64_t, batch_masks + 1> masks_{};  // of the batch, then a 0
};

}  // namespace riffle::inline v0::detail

#endif
