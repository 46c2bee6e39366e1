/// Why this file exists: words, of any input and of memory, without a copy and without an allocation for
/// each.
#ifndef RIFFLE_WORDS_HPP
#define RIFFLE_WORDS_HPP

#include <riffle/detail/mark_scan.hpp>
#include <riffle/detail/record_iterator.hpp>
#include <riffle/detail/view_iterator.hpp>
#include <riffle/source.hpp>

#include <cstddef>
#include <iterator>
#include <ranges>
#include <string_view>

namespace riffle {

namespace detail {

/// Cuts a region into words. `batch_size`: how many bytes are looked at at a time.
template <std::size_t batch_size>
class word_scan {
 public:
  word_scan() : scan_(match_word_edges{}) {}

  /// Goes on in `region`. Its first `searched` bytes are the start of a word (the carry).
  void start(std::string_view region, std::size_t searched) noexcept {
    scan_.match().in_word = searched != 0;
    scan_.start(region.substr(searched));
    word_ = searched != 0 ? region.data() : nullptr;
    end_ = region.data() + region.size();
  }

  /// Moves to the next word that ends within the region; false when there is none.
  bool next() {
    if (word_ == nullptr) word_ = scan_.next();
    const char* stop = word_ != nullptr ? scan_.next() : nullptr;
    if (stop == nullptr) return false;
    take(stop);
    return true;
  }

  /// Moves to the word that the end of the input ends; false when there is none.
  bool last() {
    if (word_ == nullptr) return false;
    take(end_);
    return true;
  }

  /// The size of a word whose end the region does not hold, 0 for none.
  std::size_t unfinished() const noexcept {
    return word_ == nullptr ? 0 : static_cast<std::size_t>(end_ - word_);
  }

  std::string_view current() const noexcept { return current_; }

 private:
  void take(const char* stop) {
    current_ = std::string_view(word_, static_cast<std::size_t>(stop - word_));
    word_ = nullptr;
  }

  mark_scan<match_word_edges, batch_size> scan_;
  const char* end_ = nullptr;   // of the region
  const char* word_ = nullptr;  // where the word looked at starts; null between words
  std::string_view current_;
};

}  // namespace detail

/// The words of an input (runs of bytes that are not C-locale white space): a single-pass range that owns its
/// source. Made by `riffle::words`.
///
/// A word is valid until the iterator moves on. Three outcomes: a word; the end; a failure, thrown as
/// `riffle::error`.
class RIFFLE_API word_range {
 public:
  using value_type = std::string_view;
  using iterator = detail::record_iterator<word_range>;

  explicit word_range(const input& from, const read_options& reading = {});

  iterator begin() { return iterator(*this); }
  std::default_sentinel_t end() const noexcept { return {}; }

  /// Moves to the next word; false at the end.
  bool advance() { return scan_.next() || next_block(); }
  std::string_view current() const noexcept { return scan_.current(); }

 private:
  bool next_block();

  source source_;
  detail::word_scan<4096> scan_;
};

/// The words of memory: a forward range that borrows it. A word is valid as long as the memory.
class word_view : public std::ranges::view_interface<word_view> {
 public:
  using iterator = detail::view_iterator<detail::word_scan<512>>;  // a small batch, as iterators are copied

  word_view() = default;
  explicit word_view(std::string_view memory) : memory_(memory) {}

  iterator begin() const {
    detail::word_scan<512> started;
    started.start(memory_, 0);
    return iterator(started);
  }
  std::default_sentinel_t end() const noexcept { return {}; }

 private:
  std::string_view memory_;
};

/// The words of any input: `for (std::string_view word : riffle::words("book.txt"))`.
[[nodiscard]] inline word_range words(const input& from, const read_options& reading = {}) {
  return word_range(from, reading);
}

/// The words of memory: a `std::string_view` is memory, never a path.
template <std::same_as<std::string_view> Memory>
[[nodiscard]] word_view words(Memory memory) {
  return word_view(memory);
}

/// Calls `f` with every word of memory; `f` may return false to stop.
template <class F>
void for_each(const word_view& words, F f) {
  for (const std::string_view word : words) {
    if (!detail::wants_more(f, word)) return;
  }
}

}  // namespace riffle

template <>
inline constexpr bool std::ranges::enable_borrowed_range<riffle::word_view> = true;

#endif
