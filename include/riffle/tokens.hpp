/// Offers the words of an input or of memory with the ends of its lines between them.
#pragma once

#include <riffle/detail/scanned.hpp>
#include <riffle/options.hpp>
#include <riffle/source.hpp>
#include <riffle/words.hpp>

#include <concepts>

namespace riffle::inline v0 {

namespace detail {

using token_scan = basic_word_scan<true>;

}  // namespace detail

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
/// Returns the same with the default `word_options`.
template <std::same_as<read_options> Options = read_options>  // a template, so that `{}` is not ambiguous
[[nodiscard]] token_range tokens(const input& from, const Options& reading) {
  return {from, {}, reading};
}

/// Returns the same of memory: `riffle::tokens(riffle::memory(text))`. Lifetime: the bytes must outlive the
/// result and its words.
[[nodiscard]] inline token_view tokens(memory bytes RIFFLE_LIFETIMEBOUND, const word_options& options = {}) {
  return token_view(bytes, options);
}

}  // namespace riffle::inline v0
