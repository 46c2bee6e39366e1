/// Why this file exists: it finds the marked bytes of a region, a batch of 64-bit masks at a time, and walks them inline.
#ifndef RIFFLE_DETAIL_MASK_SCAN_HPP
#define RIFFLE_DETAIL_MASK_SCAN_HPP

#include <riffle/scan.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace riffle::detail {

/// Marks every delimiter.
struct match_delimiter {
  char delimiter;
  void operator()(std::string_view batch, std::span<std::uint64_t> masks) const { match_byte(batch, delimiter, masks); }
};

/// Marks every byte where a word starts, and every byte right after a word; the two take turns.
struct match_word_edges {
  bool in_word = false;  // whether the byte before the next batch belongs to a word

  void operator()(std::string_view batch, std::span<std::uint64_t> masks) {
    match_any_of(batch, white_space, masks);
    std::uint64_t before = in_word ? 1 : 0;
    const std::size_t whole = batch.size() / 64;
    for (std::size_t index = 0; index < whole; ++index) masks[index] = edges(~masks[index], before);
    if (const std::size_t rest = batch.size() % 64; rest != 0) {
      const std::uint64_t valid = (std::uint64_t{1} << rest) - 1;
      const std::uint64_t word = ~masks[whole] & valid;
      masks[whole] = edges(word, before) & valid;
      before = word >> (rest - 1);
    }
    in_word = before != 0;
  }

 private:
  static std::uint64_t edges(std::uint64_t word, std::uint64_t& before) {
    const std::uint64_t edges = word ^ (word << 1 | before);
    before = word >> 63;
    return edges;
  }
};

/// Finds the bytes that `Match` marks, in the order of their places. One call through a pointer per batch of
/// `64 * Words` bytes; the rest is inlined in the caller's loop. Can be copied: it holds no pointer into itself.
template <class Match, std::size_t Words>
class mask_scan {
 public:
  explicit mask_scan(Match match) : match_(match) {}

  Match& match() noexcept { return match_; }

  /// Goes on in `region`, which must stay where it is until the scan has left it.
  void start(std::string_view region) noexcept {
    rest_ = region;
    mask_ = 0;
    index_ = count_ = 0;
  }

  /// The next marked byte; nullptr when there is none left in the region.
  const char* next() {
    while (mask_ == 0) {
      if (index_ == count_ && !load()) return nullptr;
      mask_ = masks_[index_++];
    }
    const char* found = batch_ + (index_ - 1) * 64 + static_cast<std::size_t>(std::countr_zero(mask_));
    mask_ &= mask_ - 1;
    return found;
  }

 private:
  bool load() {
    const std::string_view batch = rest_.substr(0, Words * 64);
    if (batch.empty()) return false;
    match_(batch, std::span<std::uint64_t>(masks_));
    batch_ = batch.data();
    rest_.remove_prefix(batch.size());
    count_ = mask_words(batch.size());
    index_ = 0;
    return true;
  }

  Match match_;
  std::string_view rest_;          // of the region, not looked at yet
  const char* batch_ = nullptr;    // where the batch in `masks_` starts
  std::size_t index_ = 0;          // of the word after the one in `mask_`
  std::size_t count_ = 0;          // words in use
  std::uint64_t mask_ = 0;         // the marks of the current word that are still to be handed out
  std::array<std::uint64_t, Words> masks_{};
};

}  // namespace riffle::detail

#endif
