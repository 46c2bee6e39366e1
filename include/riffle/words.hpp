/// Offers the words of an input or of memory as views, alone or with the ends of lines between them.
#pragma once

#include <riffle/byte_set.hpp>
#include <riffle/detail/mask_scan.hpp>
#include <riffle/detail/match_scan.hpp>
#include <riffle/detail/scanned.hpp>
#include <riffle/error.hpp>
#include <riffle/options.hpp>
#include <riffle/source.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace riffle::inline v0 {

namespace detail {

/// Returns `max_length`. Throws `riffle::error` (`errc::invalid_argument`) if it is below 64.
inline std::size_t checked_length(std::size_t max_length, std::string_view name) {
  if (max_length >= 64) return max_length;
  throw error(errc::invalid_argument, "read", name, std::nullopt,
              "max_length is " + std::to_string(max_length) + "; that of words is at least 64");
}

/// Returns the set of separators; newlines end words too if they end lines.
template <bool line_ends>
[[gnu::always_inline]] constexpr byte_set separators_of(const word_options& options) noexcept {
  byte_set all = options.separators;
  if constexpr (line_ends) all.add('\n');
  return all;
}

template <bool line_ends>
class basic_word_cursor;

/// Cuts a region into words, and an empty record at the end of each line if `line_ends`.
template <bool line_ends>
class RIFFLE_API basic_word_scan {
 public:
  using options_type = word_options;
  using memory_cursor = basic_word_cursor<line_ends>;

  /// Holds the place of a loop over the words; see `match_cursor`.
  struct cursor {
    match_cursor matches = {};
    std::string_view record = {};  // the current word; data() is null if there is none
  };

  /// `name` is the name of the input in messages, and `from` reads it, unless it is memory; both must outlive
  /// this object. Throws as `checked_length` does.
  explicit basic_word_scan(const word_options& options = {}, std::string_view name = "memory",
                           source_state* from = nullptr)
      : scan_(match_word_edges{separators_of<line_ends>(options), line_ends}),
        name_(name),
        source_(from),
        max_length_(checked_length(options.max_length, name)) {}

  /// Continues in `region`. Its first `searched` bytes are the start of a word (the carry).
  void start(const block& region, std::size_t searched) noexcept {
    scan_.match().in_word = searched != 0;
    scan_.start(region.bytes.substr(searched));
    word_ = searched != 0 ? region.data() : nullptr;
    begin_ = from_ = region.data();
    offset_ = region.offset;
    end_ = region.data() + region.size();
    if constexpr (line_ends) {
      if (!region.empty()) in_line_ = region.bytes.back() != '\n';
    }
  }

  /// Returns the cursor before the next word.
  cursor resume() const noexcept { return {scan_.resume(from_)}; }

  /// Moves `at` to the next word that ends within the region. Returns false if there is none.
  [[gnu::always_inline]] bool next(cursor& at) {
    if (!scan_.more(at.matches)) return false;
    const char* const word = scan_.take(at.matches);
    if constexpr (line_ends) {
      if (*word == '\n') {
        at.record = std::string_view(word, word);
        from_ = word + 1;
        return true;
      }
    }
    const char* stop = nullptr;
    if (at.matches.mask != 0) {  // it ends in the same 64 bytes, so it is not too long
      stop = take_stop(at.matches);
      at.record = std::string_view(word, static_cast<std::size_t>(stop - word));
    } else if (scan_.more(at.matches)) {
      stop = take_stop(at.matches);
      at.record = accepted(at, word, stop);
    } else {
      word_ = word;
      from_ = end_;  // if reading fails, a step must not look at the region again: its bytes may be gone
      return false;
    }
    return true;
  }

  /// The same for the first word of a region, which may have begun in the region before.
  bool first(cursor& at) {
    if (word_ == nullptr) return next(at);
    if (!scan_.more(at.matches)) return false;
    const char* const stop = take_stop(at.matches);
    at.record = accepted(at, word_, stop);
    word_ = nullptr;
    return true;
  }

  /// Returns the cursor on the word that the end of the input ends, and then on the end of its line; its
  /// record has null data if there is none.
  cursor last() {
    from_ = end_;  // after the start of that word
    cursor at = resume();
    if (word_ != nullptr) {
      at.record = {word_, unfinished()};
    } else if constexpr (line_ends) {
      if (in_line_) at.record = std::string_view("");  // the region may have no place
      in_line_ = false;
    }
    word_ = nullptr;
    return at;
  }

  /// Returns the size of the word whose end the region does not hold; 0 if there is none. Throws
  /// `riffle::error` (`errc::record_too_long`) if it exceeds `max_length`.
  std::size_t unfinished() const {
    const std::size_t size = word_ == nullptr ? 0 : static_cast<std::size_t>(end_ - word_);
    if (size > max_length_) fail(word_);
    return size;
  }

 private:
  // Takes the first byte after a word, unless it is a newline, which is a record of its own. A branch: the
  // next step would wait for the byte otherwise.
  [[gnu::always_inline]] const char* take_stop(match_cursor& at) noexcept {
    const char* const stop = scan_.place(at);
    if constexpr (line_ends) {
      if (*stop == '\n') [[unlikely]] {
        from_ = stop;
        return stop;
      }
    }
    from_ = scan_.take(at) + 1;
    return stop;
  }
  [[gnu::always_inline]] std::string_view accepted(cursor& at, const char* word, const char* end) {
    const std::size_t size = static_cast<std::size_t>(end - word);
    if (size > max_length_) [[unlikely]] {
      go_back_to(word);
      at = resume();
      fail(word);
    }
    return {word, size};
  }
  // Lets the next step meet the word again, whose start may lie before the batch.
  void go_back_to(const char* word) noexcept {
    scan_.match().in_word = false;
    scan_.start({word, static_cast<std::size_t>(end_ - word)});
    from_ = word;
    word_ = nullptr;
  }
  [[noreturn]] void fail(const char* word) const {
    fail_too_long(name_, offset_ + static_cast<std::uint64_t>(word - begin_), source_);
  }

  match_scan<match_word_edges> scan_;
  const char* from_ = nullptr;   // after the edge that ended the last word
  const char* end_ = nullptr;    // of the region
  const char* word_ = nullptr;   // the start of a word that the region does not end; null if there is none
  const char* begin_ = nullptr;  // of the region
  std::uint64_t offset_ = 0;     // of the region in the input
  std::string_view name_;
  source_state* source_;
  std::size_t max_length_;
  bool in_line_ = false;  // whether the region ends in a line without a newline
};
using word_scan = basic_word_scan<false>;
using token_scan = basic_word_scan<true>;

/// Holds the current word of memory, one mask and what finds the next word: little enough for an iterator.
template <bool line_ends>
class basic_word_cursor {
 public:
  /// After the last word.
  basic_word_cursor() = default;
  /// On the first word. Throws as `basic_word_scan` does, and `errc::record_too_long` if the word exceeds
  /// `max_length`.
  [[gnu::always_inline]] basic_word_cursor(std::string_view memory, const word_options& options)
      : scan_(scan_of(memory, separators_of<line_ends>(options))),
        begin_(memory.data()),
        max_length_(checked_length(options.max_length, "memory")),
        white_(separators_of<line_ends>(options) == word_separators),
        separators_(separators_of<line_ends>(options)) {
    next();
  }

  bool ended() const noexcept { return word_ == nullptr; }
  std::string_view record() const noexcept { return {word_, static_cast<std::size_t>(stop_ - word_)}; }

  /// Moves to the next word, or past the last one. Throws as the constructor does.
  [[gnu::always_inline]] void next() {
    if constexpr (line_ends) {
      if (word_ != stop_ && stop_ != scan_.end() && *stop_ == '\n') {  // it ended the word before
        word_ = stop_;
        return;
      }
    }
    if (!scan_.next(match(), word_)) {
      const bool ends_line = ends_last_line();
      word_ = ends_line ? scan_.end() : nullptr;
      if (ends_line) stop_ = word_;
      return;
    }
    if constexpr (line_ends) {
      if (*word_ == '\n') {
        stop_ = word_;
        return;
      }
    }
    if (!scan_.next(match(), stop_)) stop_ = scan_.end();
    if (record().size() > max_length_) [[unlikely]] {
      fail_too_long("memory", static_cast<std::uint64_t>(word_ - begin_));
    }
  }

 private:
  [[gnu::always_inline]] static mask_scan scan_of(std::string_view memory, const byte_set& separators) {
    const bool white = separators == word_separators;
    if (white && !line_ends) return mask_scan(memory, mask_of_edges<any_white>{memory.data()});
    return mask_scan(memory, mask_of_words<line_ends>{memory.data(), white, separators});
  }
  [[gnu::always_inline]] mask_of_words<line_ends> match() const noexcept {
    return {begin_, white_, separators_};
  }
  // Returns whether no newline ends the last line, nor was its end given.
  [[gnu::always_inline]] bool ends_last_line() const noexcept {
    return line_ends && begin_ != scan_.end() && scan_.end()[-1] != '\n' && word_ != scan_.end();
  }

  mask_scan scan_;
  const char* word_ = nullptr;  // null after the last word
  const char* stop_ = nullptr;
  const char* begin_ = nullptr;  // of the memory
  std::size_t max_length_ = 0;
  bool white_ = true;  // whether the separators are white space
  byte_set separators_ = word_separators;
};

}  // namespace detail

/// Iterates over the words of an input, once: runs of bytes that are no `word_options::separators`.
/// `riffle::words` makes this range; it owns its source.
///
/// Each step gives a word, or the end, or throws `riffle::error`: `errc::record_too_long` for a
/// word over `max_length`, another code if reading fails. After a `break`, the next loop continues
/// after the last word.
///
/// Lifetime: a word stays valid until you advance to the next one or destroy the range. Thread safety: one
/// thread at a time.
class RIFFLE_API word_range : public detail::scanned_range<detail::word_scan> {
 public:
  /// Opens an input as `riffle::words` does.
  word_range(const input& from, const word_options& words, const read_options& reading);
};

/// Iterates over the words of memory: a forward range, each loop over which starts at the
/// front. `riffle::words` makes it.
///
/// `begin` throws `riffle::error` (`errc::invalid_argument`) if `max_length` is below 64. A step throws it
/// (`errc::record_too_long`) for a word over `max_length`. The iterator can then only be destroyed or
/// assigned to. Lifetime: it borrows the memory, and a word stays valid as long as the memory. Thread safety:
/// any number of threads may use one object.
using word_view = detail::scanned_view<detail::word_scan>;

/// Returns the words of an input: `for (std::string_view word : riffle::words("book.txt"))`.
///
/// Throws `riffle::error`: `errc::invalid_argument` if `max_length` is below 64; another code if the input
/// cannot be opened, or if the method named in `reading` cannot read it.
[[nodiscard]] inline word_range words(const input& from, const word_options& options = {},
                                      const read_options& reading = {}) {
  return {from, options, reading};
}
template <std::same_as<read_options> Options = read_options>
[[nodiscard]] word_range words(const input& from, const Options& reading) {
  return {from, {}, reading};
}

/// Returns the words of memory: `for (std::string_view word : riffle::words(riffle::memory(text)))`.
/// Lifetime: the bytes must outlive the result and its words.
[[nodiscard]] inline word_view words(memory bytes RIFFLE_LIFETIMEBOUND, const word_options& options = {}) {
  return word_view(bytes, options);
}

/// Iterates over the words of an input and the ends of its lines, once. `riffle::tokens` makes this range; it
/// owns its source.
///
/// A word is as those of `word_range`, between separators or newlines. The end of each line is an empty word,
/// also that of a last line without a newline: there are as many as `riffle::lines` gives lines. Steps throw
/// as those of `word_range` do. After a `break`, the next loop continues after the last word.
///
/// Lifetime: a word stays valid until you advance to the next one or destroy the range. Thread safety: one
/// thread at a time.
class RIFFLE_API token_range : public detail::scanned_range<detail::token_scan> {
 public:
  /// Opens an input as `riffle::tokens` does.
  token_range(const input& from, const word_options& words, const read_options& reading);
};

/// Iterates over the same of memory: a forward range, each loop over which starts at the front.
/// `riffle::tokens` makes it.
///
/// It throws as `word_view` does. Lifetime: it borrows the memory, and a word stays valid as long as the
/// memory. Thread safety: any number of threads may use one object.
using token_view = detail::scanned_view<detail::token_scan>;

/// Returns the words of an input, and an empty word at the end of each line:
/// `for (std::string_view word : riffle::tokens("train.txt")) if (word.empty()) end_sentence();`.
///
/// Throws `riffle::error`: `errc::invalid_argument` if `max_length` is below 64; another code if the input
/// cannot be opened, or if the method named in `reading` cannot read it.
[[nodiscard]] inline token_range tokens(const input& from, const word_options& options = {},
                                        const read_options& reading = {}) {
  return {from, options, reading};
}
template <std::same_as<read_options> Options = read_options>
[[nodiscard]] token_range tokens(const input& from, const Options& reading) {
  return {from, {}, reading};
}

/// Returns the same of memory: `riffle::tokens(riffle::memory(text))`. Lifetime: the bytes must outlive the
/// result and its words.
[[nodiscard]] inline token_view tokens(memory bytes RIFFLE_LIFETIMEBOUND, const word_options& options = {}) {
  return token_view(bytes, options);
}

}  // namespace riffle::inline v0
