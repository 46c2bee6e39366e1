/// Offers all that `wc` counts of a text, in one pass.
#pragma once

#include <riffle/export.hpp>
#include <riffle/input.hpp>
#include <riffle/options.hpp>
#include <riffle/parallel.hpp>
#include <riffle/source.hpp>
#include <riffle/text_options.hpp>

#include <concepts>
#include <memory>

namespace riffle::inline v0 {

/// Returns what `wc` counts of an input, in one pass: `count_text("book.txt").words`. The rules are those of
/// GNU wc 9. A character or a word may be cut by blocks and splits in any place.
///
/// Throws `riffle::error` if the input cannot be opened or read.
[[nodiscard]] RIFFLE_API text_counts count_text(const input& from, const text_options& options = {},
                                                const read_options& reading = {});
template <std::same_as<read_options> Options = read_options>
[[nodiscard]] text_counts count_text(const input& from, const Options& reading) {
  return count_text(from, {}, reading);
}

class part_counter;
class text_counter;

namespace detail {

/// Returns whether the number of bytes tells all that is counted: at most characters of single bytes.
[[nodiscard]] RIFFLE_API bool needs_only_size(const text_counter& by) noexcept;

}  // namespace detail

/// Holds what is counted, and the rules of the encoding, so that many inputs share them.
///
/// Thread safety: any number of threads may use one at once.
class text_counter {
 public:
  /// Makes the rules. `text_encoding::locale` takes those of the locale that is set now.
  RIFFLE_API explicit text_counter(const text_options& what = {});

 private:
  friend bool detail::needs_only_size(const text_counter& by) noexcept;
  friend RIFFLE_API void count_text_into(text_counts& counts, source from, const text_counter& by,
                                         const thread_options& splitting);
  std::shared_ptr<const part_counter> parts_;
};

/// Counts a source from which no block was taken. `counts` receives the counts, also if reading fails: they
/// are then those of the blocks, or with several threads of the splits, before the failure. Splits are cut
/// anywhere.
///
/// Throws `riffle::error` if the source cannot be read.
RIFFLE_API void count_text_into(text_counts& counts, source from, const text_counter& by,
                                const thread_options& splitting = {});

}  // namespace riffle::inline v0
