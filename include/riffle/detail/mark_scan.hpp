/// Why this file exists: it finds the marked bytes of a region (delimiters, edges of words), a batch at a
/// time, so that the loop of the caller has no branch that depends on the data.
#ifndef RIFFLE_DETAIL_MARK_SCAN_HPP
#define RIFFLE_DETAIL_MARK_SCAN_HPP

#include <riffle/export.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace riffle::detail {

/// Places in a batch of at most `longest_batch` bytes.
using mark = std::uint16_t;
inline constexpr std::size_t longest_batch = 4096;
/// What may be written behind the last mark.
inline constexpr std::size_t mark_slack = 8;

/// Finds every delimiter.
struct match_delimiter {
  char delimiter;
  /// Writes their places in `batch` to `marks`, which has room for `batch.size() + mark_slack`; returns how
  /// many.
  RIFFLE_API std::size_t operator()(std::string_view batch, mark* marks) const;
};

/// Finds every byte where a word starts, and every byte right after a word; the two take turns.
struct match_word_edges {
  bool in_word = false;  // whether the byte before the next batch belongs to a word
  /// As for `match_delimiter`.
  RIFFLE_API std::size_t operator()(std::string_view batch, mark* marks);
};

/// Finds the bytes that `Match` marks, in the order of their places. One call per batch; the rest is inlined
/// in the caller's loop, and is a load and an increment for each mark. Can be copied: it holds no pointer
/// into itself.
template <class Match, std::size_t batch_size>
class mark_scan {
  static_assert(batch_size <= longest_batch && batch_size % 64 == 0);

 public:
  explicit mark_scan(Match match) : match_(match) {}

  Match& match() noexcept { return match_; }

  /// Goes on in `region`, which must stay where it is until the scan has left it.
  void start(std::string_view region) noexcept {
    rest_ = region;
    index_ = count_ = 0;
  }

  /// The next marked byte; nullptr when there is none left in the region.
  const char* next() {
    if (index_ == count_ && !load()) return nullptr;
    return batch_ + marks_[index_++];
  }

 private:
  // Kept out of the caller's loop, which then stays in registers.
  [[gnu::noinline]] bool load() {
    index_ = count_ = 0;
    while (count_ == 0 && !rest_.empty()) {
      const std::string_view batch = rest_.substr(0, batch_size);
      batch_ = batch.data();
      count_ = match_(batch, marks_.data());
      rest_.remove_prefix(batch.size());
    }
    return count_ != 0;
  }

  Match match_;
  std::string_view rest_;        // of the region, not looked at yet
  const char* batch_ = nullptr;  // what the marks count from
  std::size_t index_ = 0;        // of the next mark
  std::size_t count_ = 0;        // of marks
  std::array<mark, batch_size + mark_slack> marks_{};
};

}  // namespace riffle::detail

#endif
