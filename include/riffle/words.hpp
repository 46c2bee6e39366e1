/// Words, of any input and of memory, without a copy and without an allocation for each.
#ifndef RIFFLE_WORDS_HPP
#define RIFFLE_WORDS_HPP

#include <riffle/detail/match_scan.hpp>
#include <riffle/detail/record_iterator.hpp>
#include <riffle/detail/view_iterator.hpp>
#include <riffle/source.hpp>

#include <cstddef>
#include <iterator>
#include <ranges>
#include <string_view>

namespace riffle {

namespace detail {

/// Cuts a region into words.
class word_scan {
 public:
  /// Where a loop over the words stands; see `match_cursor`.
  struct cursor {
    match_cursor matches = {};
    std::string_view record = {};  // the word stood on; data() is null when there is none
  };

  word_scan() : scan_(match_word_edges{}) {}

  /// Goes on in `region`. Its first `searched` bytes are the start of a word (the carry).
  void start(std::string_view region, std::size_t searched) noexcept {
    scan_.match().in_word = searched != 0;
    scan_.start(region.substr(searched));
    word_ = searched != 0 ? region.data() : nullptr;
    from_ = region.data();
    end_ = region.data() + region.size();
  }

  /// The cursor before the next word.
  cursor resume() const noexcept { return {scan_.resume(from_)}; }

  /// Moves to the next word that ends within the region; false when there is none.
  [[gnu::always_inline]] bool next(cursor& at) {
    if (!scan_.more(at.matches)) return false;
    const char* const word = scan_.take(at.matches);
    if (!scan_.more(at.matches)) {
      word_ = word;
      return false;
    }
    const char* const stop = scan_.take(at.matches);
    at.record = std::string_view(word, static_cast<std::size_t>(stop - word));
    from_ = stop + 1;
    return true;
  }

  /// The same for the first word of a region, which may be one that the region before began.
  bool first(cursor& at) {
    if (word_ == nullptr) return next(at);
    if (!scan_.more(at.matches)) return false;
    const char* const stop = scan_.take(at.matches);
    at.record = std::string_view(word_, static_cast<std::size_t>(stop - word_));
    from_ = stop + 1;
    word_ = nullptr;
    return true;
  }

  /// The word that the end of the input ends; none where there is none.
  cursor last() noexcept {
    from_ = end_;  // behind the start of that word
    cursor at = resume();
    if (word_ != nullptr) at.record = {word_, unfinished()};
    word_ = nullptr;
    return at;
  }

  /// The size of a word whose end the region does not hold, 0 for none.
  std::size_t unfinished() const noexcept {
    return word_ == nullptr ? 0 : static_cast<std::size_t>(end_ - word_);
  }

 private:
  match_scan<match_word_edges> scan_;
  const char* from_ = nullptr;  // behind the edge that ended the last word
  const char* end_ = nullptr;   // of the region
  const char* word_ = nullptr;  // where a word starts that the region does not end; null when there is none
};

}  // namespace detail

/// The words of an input (runs of bytes that are not C-locale white space): a single-pass range that owns its
/// source. Made by `riffle::words`.
///
/// A word is valid until the iterator moves on. Three outcomes:
/// a word; the end; a failure, thrown as `riffle::error`.
class RIFFLE_API word_range {
 public:
  using value_type = std::string_view;
  using cursor = detail::word_scan::cursor;
  using iterator = detail::record_iterator<word_range>;

  explicit word_range(const input& from, const read_options& reading = {});

  iterator begin() { return iterator(*this); }
  std::default_sentinel_t end() const noexcept { return {}; }

  /// The cursor before the first word that is left.
  cursor resume() const noexcept { return scan_.resume(); }
  /// Moves to the next word; false at the end.
  [[gnu::always_inline]] bool advance(cursor& at) {
    if (scan_.next(at)) return true;
    at = next_block();
    return at.record.data() != nullptr;
  }

 private:
  cursor next_block();

  source source_;
  detail::word_scan scan_;
};

/// The words of memory: a forward range that borrows it. A word is valid as long as the memory.
class word_view : public std::ranges::view_interface<word_view> {
 public:
  using iterator = detail::view_iterator<detail::word_scan>;

  word_view() = default;
  explicit word_view(std::string_view memory) : memory_(memory) {}

  iterator begin() const { return iterator(started()); }
  std::default_sentinel_t end() const noexcept { return {}; }

 private:
  template <class F>
  friend void for_each(const word_view& words, F f);

  detail::word_scan started() const {
    detail::word_scan scan;
    scan.start(memory_, 0);
    return scan;
  }

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
[[gnu::always_inline]] inline void for_each(const word_view& words, F f) {
  detail::for_each_record(words.started(), f);
}

}  // namespace riffle

template <>
inline constexpr bool std::ranges::enable_borrowed_range<riffle::word_view> = true;

#endif
