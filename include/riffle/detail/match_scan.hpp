/// Finds the edges of words in a region by masks.
#pragma once

#include <riffle/byte_set.hpp>
#include <riffle/detail/mask_scan.hpp>
#include <riffle/export.hpp>
#include <riffle/scan.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace riffle::inline v0::detail {

/// The most masks in a batch. Each stands for 64 bytes; one more mask says which of the 64 are not 0.
inline constexpr std::size_t batch_masks = 64;

/// Matches the first byte of each word, and the first byte after each word; the two alternate. With
/// `line_ends` it matches each newline too, which separates words then.
struct match_word_edges {
  byte_set separators = word_separators;
  bool line_ends = false;
  bool in_word = false;  // whether the byte before the next batch belongs to a word
  /// Writes the masks of `batch`, and zeros after them up to a multiple of 8. Bit i of the result says
  /// whether mask i is not 0.
  RIFFLE_API std::uint64_t operator()(std::string_view batch, std::uint64_t* masks);
};

/// Holds the place of a scan in its batch. The loop keeps it by value, so that it stays in registers.
struct match_cursor {
  std::uint64_t mask = 0;      // the matches left in the 64 bytes at `base`
  const char* base = nullptr;  // in the batch, or right after it
  std::size_t index = 0;       // of the mask
};

/// Finds the bytes that `Match` matches, in order, `batch_masks` * 64 bytes at a time. It steps from mask to
/// mask if matches are dense, and by the mask of masks if they are sparse. It can be copied, because it holds
/// no pointer into itself.
template <class Match>
class match_scan {
 public:
  explicit match_scan(Match match) : match_(match) {}

  Match& match() noexcept { return match_; }

  /// Continues in `region`, which must stay valid until the scan has left it.
  void start(std::string_view region) noexcept {
    rest_ = region;
    batch_ = region.data();
  }

  /// Returns the cursor before the first match at or after `from`, at which the next loop continues.
  match_cursor resume(const char* from) const noexcept {
    const std::size_t done = from > batch_ ? static_cast<std::size_t>(from - batch_) : 0;
    if (done / 64 >= detail::mask_words(static_cast<std::size_t>(rest_.data() - batch_))) return used_up();
    return {masks_[done / 64] & ~std::uint64_t{0} << done % 64, batch_ + done / 64 * 64, done / 64};
  }

  /// Returns whether there is a match left in the region; `take` then gives it.
  [[gnu::always_inline]] bool more(match_cursor& at) {
    if (at.mask != 0) return true;
    at.base += 64;
    at.mask = masks_[++at.index];
    if (at.mask == 0) {
      at = skip(at.index);
    } else {
      // Fetches the next batch, a cache line at a time, while the loop walks this one: it is then in the
      // cache when its masks are made. Where records are longer, the processor reads ahead by itself.
      __builtin_prefetch(at.base + batch_masks * 64);  // tuning
    }
    return at.mask != 0;
  }
  /// Returns the next matched byte, which `take` then gives.
  [[gnu::always_inline]] static const char* place(const match_cursor& at) noexcept {
    return at.base + lowest_bit(at.mask);
  }
  /// Returns the next matched byte.
  [[gnu::always_inline]] static const char* take(match_cursor& at) noexcept {
    const char* const found = at.base + lowest_bit(at.mask);
    at.mask &= at.mask - 1;
    return found;
  }

 private:
  // A cursor whose next step leads to the 0 after all masks.
  match_cursor used_up() const noexcept { return {0, batch_, batch_masks - 1}; }

  // Returns the cursor on the first mask that is not 0, from `index` on and in further batches.
  [[gnu::noinline]] match_cursor skip(std::size_t index) {
    std::uint64_t left = index < batch_masks ? occupied_ >> index : 0;
    while (left == 0) {
      if (rest_.empty()) return used_up();
      const std::string_view batch = rest_.substr(0, batch_masks * 64);
      batch_ = batch.data();
      rest_.remove_prefix(batch.size());
      left = occupied_ = match_(batch, masks_.data());
      masks_[detail::mask_words(batch.size())] = 0;
      index = 0;
    }
    index += lowest_bit(left);
    return {masks_[index], batch_ + index * 64, index};
  }

  Match match_;
  std::string_view rest_;                               // of the region, after the batch
  const char* batch_ = nullptr;                         // the current one
  std::uint64_t occupied_ = 0;                          // which of its masks are not 0
  std::array<std::uint64_t, batch_masks + 1> masks_{};  // of the batch, then a 0
};

}  // namespace riffle::inline v0::detail
